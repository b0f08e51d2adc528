internal import AnvilBase

extension WrittenDate {
  /// Calls `body` with the text, which is valid only during the call.
  func withUTF8Span<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    unsafe withUnsafeBytes(of: words) { bytes in
      // Safety: `length` is at most 30 of the 32 bytes, which live for the call.
      unsafe body(Span(_unsafeBytes: bytes).extracting(0..<length))
    }
  }
}

extension OutputMemory {
  /// Appends the date in quotation marks.
  @inline(__always)
  func append(_ date: WrittenDate, _ ending: Ending = .nothing) {
    let tail = tail(40)
    tail.store(0x22 as UInt8, at: 0)
    tail.store(date.words.0, at: 1)
    tail.store(date.words.1, at: 9)
    tail.store(date.words.2, at: 17)
    tail.store(date.words.3, at: 25)
    // The quotation mark, and a comma that may or may not become part of the text.
    tail.store((0x2C22 as UInt16).littleEndian, at: date.length &+ 1)
    advance(date.length &+ 2 &+ Int(ending.rawValue))
  }
}
