import Foundation
import Testing

@testable import AnvilJSON

/// Invalid JSON in UTF-16 and UTF-32: the places of errors. The text is decoded once only.
@Suite struct TextEncodingTests {
  private func failure(_ bytes: [UInt8]) -> JSON.SyntaxError? {
    do throws(JSON.SyntaxError) {
      _ = try JSON(parsing: bytes)
      return nil
    } catch {
      return error
    }
  }

  private func utf16(_ text: String) -> [UInt8] {
    text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
  }

  /// The offset counts bytes of the input, not of the converted UTF-8. The column counts characters.
  @Test(arguments: [
    ("[1 2]", 6, 4), ("\u{FEFF}[1 2]", 8, 4), ("[\"日本語日本語\" 2]", 20, 11), ("[\"😀\" 2]", 12, 6), ("[\"日日日日", 12, 7),
    ("\u{FEFF}", 2, 1), ("\u{FEFF}x", 2, 1),
  ])
  func offsetsCountBytesOfTheInput(text: String, offset: Int, column: Int) throws {
    let error = try #require(failure(utf16(text)))
    #expect(error.offset == offset)
    #expect(error.column == column)
    let wide = text.unicodeScalars.flatMap { scalar in
      (0..<4).map { UInt8(truncatingIfNeeded: scalar.value >> ($0 * 8)) }
    }
    let wideError = try #require(failure(wide))
    #expect(wideError.offset <= wide.count && wideError.offset.isMultiple(of: 4))
    #expect(wideError.code == error.code && wideError.column == column)
  }

  @Test func textIsTranscodedOnlyOnce() {
    // U+0031 U+0000 would be "1" in UTF-16, too.
    #expect(failure([0xFF, 0xFE, 0x31, 0, 0, 0])?.code == .trailingContent)
    #expect(failure([0xFE, 0xFF, 0, 0, 0, 0x31])?.offset == 2)
    #expect(failure([0xFF, 0xFE, 0xFF, 0xFE, 0x31, 0])?.offset == 2)
  }

  @Test func incompleteUTF16UnitsHaveTheirOffset() {
    #expect(failure(utf16("[1") + [0x20])?.offset == 4)
    #expect(failure(utf16("[\"日") + [0x00, 0xD8] + utf16("\"]"))?.offset == 6)
  }

  /// The error for a truncated or malformed text says so, instead of naming a replacement byte.
  @Test(arguments: [
    ([0xFF, 0xFE, 0, 0, 0x5B, 0, 0, 0, 0x22, 0, 0], 8), ([0x5B, 0, 0x31], 2), ([0x5B, 0, 0x00, 0xDC, 0x5D, 0], 2),
    ([0, 0, 0, 0x5B, 0, 0x11, 0, 0], 4),
  ])
  func illFormedUnitsAreInvalidEncoding(bytes: [UInt8], offset: Int) {
    let error = #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: bytes) }
    #expect(error?.code == .invalidEncoding && error?.offset == offset)
    let readingError = #expect(throws: JSON.ReadingError.self) { try JSON.read(JSON.self, from: bytes) }
    #expect(readingError?.code == .syntax(.invalidEncoding) && readingError?.offset == offset)
  }

  /// A `String` is known to be UTF-8, so NULs in it are not taken for UTF-16.
  @Test(arguments: ["1\0", "1\0\0\0", "\01", "[\01\0]\0", "\0\0\01"])
  func stringsAreNotTakenForOtherEncodings(text: String) {
    #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: text) }
    #expect(throws: JSON.ReadingError.self) { try JSON.read(JSON.self, from: text) }
    #expect((try? JSON(parsing: Array("1\0".utf8))) == 1)
  }

  @Test func stringsMayBeginWithOneByteOrderMark() throws {
    #expect(try JSON(parsing: "\u{FEFF}[1]") == [1])
    #expect(try JSON.read([Int].self, from: "\u{FEFF}[1]") == [1])
    #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: "\u{FEFF}\u{FEFF}[1]") }
    #expect(throws: JSON.ReadingError.self) { try JSON.read([Int].self, from: "\u{FEFF}\u{FEFF}[1]") }
    for encoding in [String.Encoding.utf16LittleEndian, .utf32BigEndian] {
      let data = try #require("\u{FEFF}\u{FEFF}[1]".data(using: encoding))
      #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: data) }
      #expect(throws: JSON.ReadingError.self) { try JSON.read([Int].self, from: data) }
    }
  }
}
