internal import AnvilBase
internal import AnvilHTTP
internal import CCurl

/// Header lines in libcurl's format: a linked list of C strings, all in one reusable allocation.
///
/// The list functions of libcurl would allocate memory twice for each line. libcurl reads the list until the transfer ends, and never
/// writes to it.
@safe
final class HeaderList {
  private typealias Node = curl_slist

  private var memory: UnsafeMutableRawPointer?
  private var capacity = 0
  private var lines: [(name: String, value: String?)] = []

  func removeAll() {
    lines.removeAll(keepingCapacity: true)
  }

  func add(_ name: String, _ value: String) {
    lines.append((name, value))
  }

  /// Adds a line that makes libcurl leave out the field, which it would add by default.
  func suppress(_ name: String) {
    lines.append((name, nil))
  }

  /// Returns the list, or `nil` if it is empty. The list is valid until the next call of this function or the end of this object.
  func build() -> UnsafeMutableRawPointer? {
    guard !lines.isEmpty else { return nil }
    let nodes = unsafe lines.count * MemoryLayout<Node>.stride
    // The name, at most ": ", the value, and the NUL.
    let size = lines.reduce(nodes) { $0 + $1.name.utf8.count + ($1.value?.utf8.count ?? 0) + 3 }
    reserve(size)
    guard let memory = unsafe memory else { return nil }
    var text = unsafe memory + nodes
    for (index, line) in lines.enumerated() {
      let node = unsafe (memory + index * MemoryLayout<Node>.stride).assumingMemoryBound(to: Node.self)
      let isLast = index == lines.count - 1
      // Safety: the nodes are consecutive at the start, which is aligned for any type. There is room for all of them,
      // as counted above.
      unsafe node.pointee.data = text.assumingMemoryBound(to: CChar.self)
      unsafe node.pointee.next = isLast ? nil : node + 1
      unsafe text = copy(line.name, to: text)
      switch line.value {
      case nil:
        unsafe text = copy(":", to: text)
      case .some(let value) where value.isEmpty:
        // In libcurl's format, a semicolon ends the name of a field without a value.
        unsafe text = copy(";", to: text)
      case .some(let value):
        unsafe text = copy(": ", to: text)
        unsafe text = copy(value: value, to: text)
      }
      unsafe text.storeBytes(of: 0, as: UInt8.self)
      unsafe text += 1
    }
    return unsafe memory
  }

  /// Copies the value of a field. Its bytes may be those of another encoding, which need less room than its text.
  private func copy(value: String, to target: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    let end = unsafe copy(value, to: target)
    // Safety: the text was copied to this memory, and its bytes are not more.
    guard unsafe memchr(target, Self.opaqueStart, end - target) != nil else { return unsafe end }
    let bytes = HTTP.HeaderValue(rawValue: value).bytes
    for (offset, byte) in bytes.enumerated() {
      unsafe target.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
    }
    return unsafe target + bytes.count
  }

  /// The first byte in UTF-8 of the scalars that stand for a byte.
  private static let opaqueStart: Int32 = 0xEE

  private func reserve(_ size: Int) {
    guard size > capacity else { return }
    unsafe memory?.deallocate()
    capacity = max(size, 1_024)
    unsafe memory = .allocate(byteCount: capacity, alignment: MemoryLayout<Node>.alignment)
  }

  /// Copies the bytes of the text to `target`, and returns the address after the copy.
  private func copy(_ text: String, to target: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    var text = text
    return text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return unsafe target }
      // Safety: the caller has reserved room for these bytes.
      unsafe target.copyMemory(from: start, byteCount: bytes.count)
      return unsafe target + bytes.count
    }
  }

  deinit {
    unsafe memory?.deallocate()
  }
}
