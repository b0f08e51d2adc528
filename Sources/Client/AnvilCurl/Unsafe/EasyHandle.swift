internal import AnvilBase
internal import AnvilClient
internal import AnvilHTTP
internal import CCurl

/// A libcurl handle, which is used for one transfer at a time, and only on the loop's thread.
///
/// The callbacks receive the address of this object. The address is valid as long as the handle: the pool retains an unused object, and the
/// transfer retains an object that it uses.
@safe
final class EasyHandle {
  let easy: UnsafeMutableRawPointer
  var transfer: Transfer? {
    didSet { unsafe calledBack = transfer.map { unsafe Unmanaged.passUnretained($0) } }
  }
  /// An unretained reference to the transfer for callbacks, which run for every line of a head. Counting references to the transfer and to
  /// this object took 1 % of the time of a request on loopback.
  private(set) var calledBack: Unmanaged<Transfer>?
  /// True if no option has to be reset before the next transfer.
  var isClean = true
  private var isVerbose = false
  /// The HTTP version that is set as an option; 0 if libcurl chooses the version.
  var httpVersion = 0
  private var url = ""
  /// The proxy of the environment that is set as an option, whose URL is `nil` if there is no proxy, and the error of an invalid URL. `nil` if
  /// the option was not set.
  var environmentProxy: (url: ProxyURL?, error: TransportError?)?

  /// The sockets opened for the transfer. A host with several addresses may need more than one.
  var opened: [SocketWatches.Opening] = []
  /// The socket that libcurl stopped watching last, while the transfer was paused.
  var parked: SocketWatches.Opening?
  let watches: SocketWatches
  let settings: SessionSettings
  private let headers = HeaderList()
  private let proxyHeaders = HeaderList()
  private let errorBuffer: UnsafeMutablePointer<CChar>

  init(settings: SessionSettings, watches: SocketWatches) throws(TransportError) {
    // Safety: `deinit` frees all resources. It also runs if this throws after all properties are set.
    guard let easy = unsafe curl_easy_init() else {
      throw TransportError(code: .other, reason: "there is not enough memory for a transfer")
    }
    unsafe self.easy = easy
    unsafe errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    self.settings = settings
    self.watches = watches
    try setUp()
  }

  deinit {
    // Safety: the handle is not in a multi handle, because transfers release it only after it was removed.
    unsafe curl_easy_cleanup(easy)
    unsafe errorBuffer.deallocate()
  }

  func reset() throws(TransportError) {
    unsafe curl_easy_reset(easy)
    httpVersion = 0
    isVerbose = false
    url = ""
    environmentProxy = nil
    try setUp()
    isClean = true
  }

  func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
    try unsafe check(anvil_curl_set_long(easy, option, value), option)
  }

  func set(_ option: CURLoption, offset: Int) throws(TransportError) {
    try unsafe check(anvil_curl_set_offset(easy, option, Int64(offset)), option)
  }

  /// Sets an option to a text, which libcurl copies. Throws an error for text with a NUL, where libcurl would cut it off.
  func set(_ option: CURLoption, _ text: String?) throws(TransportError) {
    guard let text else { return try unsafe set(option, pointer: nil) }
    let code = unsafe text.withCString {
      unsafe strlen($0) == text.utf8.count
        ? anvil_curl_set_pointer(easy, option, $0) : CURLE_BAD_FUNCTION_ARGUMENT
    }
    try check(code, option)
  }

  func set(_ option: CURLoption, pointer: UnsafeRawPointer?) throws(TransportError) {
    try unsafe check(anvil_curl_set_pointer(easy, option, pointer), option)
  }

  /// Sets an option to bytes, which libcurl copies.
  func set(_ option: CURLoption, blob bytes: UnsafeRawBufferPointer) throws(TransportError) {
    try unsafe check(anvil_curl_set_blob(easy, option, bytes.baseAddress, bytes.count), option)
  }

  /// A handle that still has a buffer from an earlier transfer, as on shared connections, keeps that buffer.
  func setBufferSize(_ size: Int) throws(TransportError) {
    let code = unsafe anvil_curl_set_long(easy, CURLOPT_BUFFERSIZE, size)
    if code != CURLE_BAD_FUNCTION_ARGUMENT { try check(code, CURLOPT_BUFFERSIZE) }
  }

  func check(_ code: CURLcode, _ option: CURLoption) throws(TransportError) {
    guard code != CURLE_OK else { return }
    // Safety: the text is libcurl's own and constant.
    let text = unsafe String(cString: curl_easy_strerror(code))
    throw TransportError(
      code: code == CURLE_URL_MALFORMAT ? .invalidRequest : .other, reason: "libcurl option \(option.rawValue): \(text)"
    )
  }

  private func setUp() throws(TransportError) {
    // Safety: this object outlives the handle.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    try unsafe set(CURLOPT_PRIVATE, pointer: context)
    try unsafe set(CURLOPT_ERRORBUFFER, pointer: errorBuffer)
    try set(CURLOPT_NOSIGNAL, 1)
    try unsafe set(CURLOPT_WRITEDATA, pointer: context)
    try unsafe check(anvil_curl_set_bytes_function(easy, CURLOPT_WRITEFUNCTION, receiveBody), CURLOPT_WRITEFUNCTION)
    try unsafe set(CURLOPT_HEADERDATA, pointer: context)
    try unsafe check(anvil_curl_set_bytes_function(easy, CURLOPT_HEADERFUNCTION, receiveHead), CURLOPT_HEADERFUNCTION)
    try unsafe set(CURLOPT_READDATA, pointer: context)
    try unsafe check(anvil_curl_set_bytes_function(easy, CURLOPT_READFUNCTION, sendBody), CURLOPT_READFUNCTION)
    try unsafe set(CURLOPT_SEEKDATA, pointer: context)
    try unsafe check(anvil_curl_set_seek_function(easy, rewindBody), CURLOPT_SEEKFUNCTION)
    try unsafe set(CURLOPT_PREREQDATA, pointer: context)
    try unsafe check(anvil_curl_set_prerequest_function(easy, beginRequest), CURLOPT_PREREQFUNCTION)
    try unsafe set(CURLOPT_OPENSOCKETDATA, pointer: context)
    try unsafe check(anvil_curl_set_open_function(easy, openSocket), CURLOPT_OPENSOCKETFUNCTION)
    try unsafe set(CURLOPT_RESOLVER_START_DATA, pointer: context)
    try unsafe check(anvil_curl_set_resolve_function(easy, beginResolving), CURLOPT_RESOLVER_START_FUNCTION)
    try unsafe set(CURLOPT_DEBUGDATA, pointer: context)
    try unsafe check(anvil_curl_set_debug_function(easy, noteLine), CURLOPT_DEBUGFUNCTION)
    // Connections outlive handles, so the callback for closing them receives an object that outlives the connections.
    try unsafe set(CURLOPT_CLOSESOCKETDATA, pointer: Unmanaged.passUnretained(watches).toOpaque())
    try unsafe check(anvil_curl_set_close_function(easy, closeSocket), CURLOPT_CLOSESOCKETFUNCTION)
    let version = CurlLibrary.features.version
    try unsafe check(anvil_curl_allow_http_only(easy, version), CURLOPT_PROTOCOLS_STR)
    try unsafe check(anvil_curl_end_quickly(easy, version), CURLOPT_QUICK_EXIT)
    try settings.apply(to: self)
  }

  func prepare(for transfer: Transfer) throws(TransportError) {
    if !isClean { try reset() }
    let request = transfer.exchange.request
    unsafe errorBuffer[0] = 0
    if !opened.isEmpty { opened.removeAll() }
    parked = nil
    if isVerbose {
      try set(CURLOPT_VERBOSE, 0)
      isVerbose = false
    }
    if url != transfer.url {
      try set(CURLOPT_URL, transfer.url)
      url = transfer.url
    }
    try settings.applyEnvironmentProxy(to: self, isSecure: transfer.isSecure)
    try settings.applyVersion(to: self, kind: transfer.kind)
    let needsOwnConnection = settings.needsOwnConnection(isSecure: transfer.isSecure)
    if needsOwnConnection || transfer.exchange.options.connection == .new {
      isClean = false
      try set(CURLOPT_FRESH_CONNECT, 1)
    }
    if needsOwnConnection {
      try set(CURLOPT_PIPEWAIT, 0)
      forbidReuse()
    }
    if transfer.exchange.mayBeHeldBack {
      isClean = false
      try setBufferSize(SessionSettings.streamBufferSize)
    }
    try setMethod(for: transfer)
    if transfer.needsStreamNotes || transfer.exchange.options.headHandler != nil { readLog() }
    settings.fill(headers, proxyHeaders, for: request, transfer.upload)
    try unsafe set(CURLOPT_HTTPHEADER, pointer: headers.build())
    if let list = unsafe proxyHeaders.build() {
      isClean = false
      try unsafe set(CURLOPT_PROXYHEADER, pointer: list)
    }
  }

  private func setMethod(for transfer: Transfer) throws(TransportError) {
    let request = transfer.exchange.request
    switch (request.method, transfer.upload) {
    case (.get, .nothing): return
    case (.head, .nothing):
      isClean = false
      return try set(CURLOPT_NOBODY, 1)
    case (.head, _):
      // libcurl would wait for the body of the response.
      throw TransportError(code: .invalidRequest, reason: "a HEAD request with a body cannot be sent")
    case (_, .nothing): break
    case (_, .bytes(let data)):
      try set(CURLOPT_POST, 1)
      try set(CURLOPT_POSTFIELDSIZE_LARGE, offset: data.count)
      if data.count <= Transfer.smallBodySize {
        // The body is sent together with the head.
        let code = unsafe data.withUnsafeBytes {
          unsafe anvil_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
        }
        try check(code, CURLOPT_COPYPOSTFIELDS)
      }
    case (_, .feed(_, let length)):
      try set(CURLOPT_UPLOAD, 1)
      try set(CURLOPT_INFILESIZE_LARGE, offset: length ?? -1)
      if request.body.trailers != nil {
        // Safety: this object outlives the handle.
        try unsafe set(CURLOPT_TRAILERDATA, pointer: Unmanaged.passUnretained(self).toOpaque())
        try unsafe check(anvil_curl_set_trailer_function(easy, sendTrailers), CURLOPT_TRAILERFUNCTION)
      }
    }
    if transfer.isSendingLarge { try enableProgressReports() }
    isClean = false
    try set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
  }

  /// Makes libcurl report the number of bytes that it has sent. This may be less than the number of bytes that it has read from the body.
  private func enableProgressReports() throws(TransportError) {
    try set(CURLOPT_NOPROGRESS, 0)
    // Safety: this object outlives the handle.
    try unsafe set(CURLOPT_XFERINFODATA, pointer: Unmanaged.passUnretained(self).toOpaque())
    try unsafe check(anvil_curl_set_progress_function(easy, noteProgress), CURLOPT_XFERINFOFUNCTION)
  }

  /// Makes libcurl pass the lines of its log to a callback until the next transfer.
  func readLog() {
    guard !isVerbose else { return }
    isVerbose = unsafe anvil_curl_set_long(easy, CURLOPT_VERBOSE, 1) == CURLE_OK
  }

  /// Pauses or resumes libcurl in each direction. Must not be called from a libcurl callback.
  func pause(receiving: Bool, sending: Bool) -> CURLcode {
    let mask = (receiving ? CURLPAUSE_RECV : 0) | (sending ? CURLPAUSE_SEND : 0)
    // Safety: the handle is live; this may call the callbacks.
    return unsafe curl_easy_pause(easy, mask)
  }

  /// Only done for versions of libcurl that notify the server of the end of a stream only when something else is sent on the
  /// connection. libcurl closes the connection unless other transfers use it.
  func endConnectionWithTransfer() {
    // If this fails, the server is notified later.
    if !CurlLibrary.resetsStreams { forbidReuse() }
  }

  /// Makes libcurl close the connection when the transfer ends, unless other transfers use the connection.
  func forbidReuse() {
    isClean = false
    _ = unsafe anvil_curl_set_long(easy, CURLOPT_FORBID_REUSE, 1)
  }

  /// libcurl's description of the failure. It may be empty.
  var failureText: String { unsafe String(cString: errorBuffer) }

  /// Returns a time since the transfer's start in microseconds; 0 if the event did not happen.
  func time(_ info: CURLINFO) -> Int64 {
    var value: Int64 = 0
    return unsafe anvil_curl_info_offset(easy, info, &value) == CURLE_OK ? value : 0
  }

  func number(_ info: CURLINFO) -> Int {
    var value = 0
    return unsafe anvil_curl_info_long(easy, info, &value) == CURLE_OK ? value : 0
  }

  func text(_ info: CURLINFO) -> String? {
    var value: UnsafePointer<CChar>?
    guard unsafe anvil_curl_info_string(easy, info, &value) == CURLE_OK, let value = unsafe value else { return nil }
    // Safety: the text belongs to the handle and is copied immediately.
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  var isOnNewConnection: Bool { number(CURLINFO_NUM_CONNECTS) > 0 }

  var usedHTTP2: Bool { number(CURLINFO_HTTP_VERSION) == Int(CURL_HTTP_VERSION_2_0) }

  var usedHTTP1: Bool {
    [CURL_HTTP_VERSION_1_0, CURL_HTTP_VERSION_1_1].contains { Int($0) == number(CURLINFO_HTTP_VERSION) }
  }
}
