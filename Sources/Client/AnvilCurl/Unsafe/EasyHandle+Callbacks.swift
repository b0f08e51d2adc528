internal import AnvilBase
internal import AnvilClient
internal import AnvilHTTP
internal import CCurl

// The functions that libcurl calls for an `EasyHandle`.
//
// Safety of all of them: libcurl calls them only during calls to it on the loop's thread. `context` is the `EasyHandle`
// that set it, which outlives its handle. Bytes are valid for `size` times `count` bytes during the call.

private func handle(_ context: UnsafeMutableRawPointer?) -> EasyHandle? {
  guard let context = unsafe context else { return nil }
  return unsafe Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
}

/// Calls `body` with the transfer of the handle in `context` and returns its result. Returns `nil` if the handle has no transfer.
///
/// Safety: the handle retains its transfer, which is set and removed only outside of calls to libcurl.
func withTransfer<Result>(
  _ context: UnsafeMutableRawPointer?, _ body: (Transfer) -> Result
) -> Result? {
  guard let context = unsafe context,
    let transfer = unsafe Unmanaged<EasyHandle>.fromOpaque(context)._withUnsafeGuaranteedRef({ unsafe $0.calledBack })
  else { return nil }
  return unsafe transfer._withUnsafeGuaranteedRef(body)
}

let receiveBody: anvil_curl_bytes_function = { bytes, size, count, context in
  let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size &* count)
  switch unsafe withTransfer(context, { unsafe $0.receiveBody(buffer.bytes) }) {
  case .taken: return buffer.count
  case .paused: return Int(CURL_WRITEFUNC_PAUSE)
  // Any number other than the count signals an error. Chunks are never empty.
  case .refused, nil: return 0
  }
}

let receiveHead: anvil_curl_bytes_function = { bytes, size, count, context in
  let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size &* count)
  return unsafe withTransfer(context) { unsafe $0.receiveHead(buffer.bytes) } == true ? buffer.count : 0
}

let sendBody: anvil_curl_bytes_function = { bytes, size, count, context in
  let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size &* count)
  switch unsafe withTransfer(context, { unsafe $0.fillBody(UploadTarget(buffer)) }) {
  case .bytes(let count): return count
  case .end: return 0
  case .nothingYet: return Int(CURL_READFUNC_PAUSE)
  case .failure, nil: return Int(CURL_READFUNC_ABORT)
  }
}

let sendTrailers: anvil_curl_trailer_function = { list, context in
  guard let list = unsafe list, let lines = unsafe withTransfer(context, { $0.trailerLines() }) ?? nil else {
    return CURL_TRAILERFUNC_ABORT
  }
  for line in lines {
    // Safety: libcurl copies the text and frees the list. If memory runs out, the old list stays valid.
    guard let longer = unsafe curl_slist_append(list.pointee, line) else { return CURL_TRAILERFUNC_ABORT }
    unsafe list.pointee = longer
  }
  return CURL_TRAILERFUNC_OK
}

let noteProgress: anvil_curl_progress_function = { context, _, _, _, sent in
  _ = unsafe withTransfer(context) { $0.noteSent(Int(clamping: sent)) }
  return 0
}

let noteLine: anvil_curl_debug_function = { _, kind, bytes, count, context in
  guard kind == CURLINFO_TEXT || kind == CURLINFO_HEADER_OUT || kind == CURLINFO_HEADER_IN, let bytes = unsafe bytes
  else { return 0 }
  // Safety: the text is valid during the call, and copied.
  let text = unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
  _ = unsafe withTransfer(context) { transfer in
    switch kind {
    case CURLINFO_TEXT: transfer.noteLine(text)
    case CURLINFO_HEADER_OUT: transfer.exchange.options.headHandler?(.sent(text))
    default: transfer.exchange.options.headHandler?(.received(text))
    }
  }
  return 0
}

let beginRequest: anvil_curl_prerequest_function = { context, remoteAddress, localAddress, remotePort, localPort in
  let mayBegin = unsafe withTransfer(context) { transfer in
    var connection: StreamLog.Connection?
    // A Unix socket has no ports.
    if transfer.kind == .multiplexed, remotePort > 0, localPort > 0, let remoteAddress = unsafe remoteAddress,
      let localAddress = unsafe localAddress
    {
      connection = unsafe StreamLog.Connection(
        remoteAddress: String(cString: remoteAddress), remotePort: remotePort,
        localAddress: String(cString: localAddress), localPort: localPort)
    }
    return transfer.beginRequest(on: connection)
  }
  return mayBegin == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

let rewindBody: anvil_curl_seek_function = { context, position, origin in
  let isRewound = unsafe withTransfer(context) { origin == SEEK_SET && $0.rewindBody(to: Int64(position)) }
  return isRewound == true ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_CANTSEEK
}

let beginResolving: anvil_curl_resolve_function = { _, _, context in
  _ = unsafe withTransfer(context) { $0.noteConnecting() }
  return 0
}

let openSocket: anvil_curl_open_function = { context, _, address in
  guard let handle = unsafe handle(context), let address = unsafe address else { return CURL_SOCKET_BAD }
  handle.transfer?.noteConnecting()
  if let allows = handle.settings.addressGuard.allows, let ip = unsafe IPAddress(address), !allows(ip) {
    handle.transfer?.notes.refusedAddress = ip
    return CURL_SOCKET_BAD
  }
  #if os(Linux)
  let descriptor = unsafe socket(
    address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
  #else
  let descriptor = unsafe socket(address.pointee.family, address.pointee.socktype, address.pointee.protocol)
  if descriptor >= 0 {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    #if canImport(Darwin)
    // SIGPIPE is sent to the process there, so that a thread that blocks the signal does not stop it.
    var isOn: Int32 = 1
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }
  #endif
  guard descriptor >= 0 else {
    handle.transfer?.notes.socketFailure = errno
    return CURL_SOCKET_BAD
  }
  handle.noteOpened(descriptor)
  return descriptor
}

let closeSocket: anvil_curl_close_function = { context, descriptor in
  if let context = unsafe context {
    unsafe Unmanaged<SocketWatches>.fromOpaque(context).takeUnretainedValue().forget(descriptor)
  }
  return close(descriptor)
}

extension IPAddress {
  /// Creates the address to which a socket is about to be connected. Returns `nil` if it is neither an IPv4 nor an IPv6 address.
  fileprivate init?(_ address: UnsafeMutablePointer<curl_sockaddr>) {
    // Safety: the structure contains an address with the stated length and family.
    let length = min(Int(unsafe address.pointee.addrlen), MemoryLayout<sockaddr_storage>.size)
    var storage = sockaddr_storage()
    let start = unsafe UnsafeMutableRawPointer(address).advanced(
      by: MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 16)
    unsafe withUnsafeMutableBytes(of: &storage) { target in
      unsafe target.copyMemory(from: UnsafeRawBufferPointer(start: start, count: length))
    }
    switch unsafe address.pointee.family {
    case AF_INET:
      let bytes = unsafe withUnsafeBytes(of: &storage) { unsafe Array($0[4..<8]) }
      self.init(bytes: bytes)
    case AF_INET6:
      let bytes = unsafe withUnsafeBytes(of: &storage) { unsafe Array($0[8..<24]) }
      self.init(bytes: bytes)
    default: return nil
    }
  }
}
