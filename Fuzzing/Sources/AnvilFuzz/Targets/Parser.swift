import AnvilJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FuzzTarget {
  /// Any text: validity and value agree with the reference parser; values are the same after writing and reading;
  /// errors point into the text; other encodings give the same value.
  static let parser = FuzzTarget(name: "parser", repeated: .elements) { bytes in
    let json = checkedParse(bytes)
    if let json { checkOutput(of: json) }
    // How far a text in another encoding than UTF-8 agrees is asked of those that are made here: these may be anything.
    guard !isDetectedAsOtherEncoding(bytes) else { return }
    let reference = ReferenceParser.parse(bytes)
    require((json == nil) == (reference == nil), "accepted \(json != nil), should be \(reference != nil)")
    if let json, let reference { require(reference.matches(json), "parsed as \(json)") }
    checkLimits(bytes, json)
    checkPieces(bytes, json)
    checkEncodings(bytes, json)
  } growth: { bytes in
    guard let json = try? JSON(parsing: bytes) else { return }
    _ = (json.serializedData(.pretty()), json.serializedData(order: .sortedKeys), try? json.canonicalForm())
    _ = (json.compactCopy() == json, json.hashValue)
  }

  /// The value that `bytes` spell, if any; whatever is wrong with them is inside them.
  static func checkedParse(_ bytes: [UInt8], options: JSON.ParsingOptions = .init()) -> JSON? {
    do {
      return try JSON(parsing: bytes, options: options)
    } catch {
      require(error.offset >= 0 && error.offset <= bytes.count, "offset \(error.offset) of \(bytes.count): \(error)")
      require(error.line >= 1 && error.column >= 1, "place \(error)")
      require(!error.description.isEmpty, "no description")
      return nil
    }
  }

  /// Every way to write a value is read as that value.
  static func checkOutput(of json: JSON) {
    for style in [.compact, .pretty(), .pretty(indent: 0)] as [JSON.OutputStyle] {
      let text = json.serializedData(style)
      let again = requireSuccess("\(style) output is no JSON") { () throws(JSON.SyntaxError) in try JSON(parsing: text)
      }
      require(again == json, "\(style) output is another value")
      require(again.hashValue == json.hashValue, "equal values have different hashes")
      require(again.serializedData(style) == text, "\(style) output changes")
    }
    let sorted = json.serializedData(order: .sortedKeys)
    let again = requireSuccess("sorted output is no JSON") { () throws(JSON.SyntaxError) in try JSON(parsing: sorted) }
    require(again.serializedData(order: .sortedKeys) == sorted, "sorted output changes")
    require(again == json, "sorted output is another value")
    require(json.compactCopy() == json, "a copy is another value")
    if let canonical = try? json.canonicalForm() {
      let again = requireSuccess("canonical form is no JSON") { () throws(JSON.SyntaxError) in
        try JSON(parsing: canonical)
      }
      require((try? again.canonicalForm()) == canonical, "canonical form changes")
    }
  }

  /// In pieces, the text has the same value or the same error, and every value before the end can be written.
  private static func checkPieces(_ bytes: [UInt8], _ json: JSON?) {
    let expected = Result { () throws(JSON.SyntaxError) in try JSON(parsing: bytes) }
    // The sizes of the pieces come from the text.
    var generator = SeededGenerator(seed: UInt64(bytes.count))
    let result = Result { () throws(JSON.SyntaxError) in
      var parser = JSON.PartialParser()
      var rest = bytes[...]
      var last: JSON?
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...16, using: &generator))
        try parser.append(Data(piece))
        rest = rest.dropFirst(piece.count)
        last = parser.value
        require((try? JSON(parsing: parser.value?.serializedData() ?? Data([0x30]))) != nil, "a value that is no JSON")
      }
      _ = last
      return try parser.finish()
    }
    require(result == expected, "in pieces \(result), at once \(expected)")
  }

  /// With limits, the text is rejected or has the same value.
  private static func checkLimits(_ bytes: [UInt8], _ json: JSON?) {
    if let limited = checkedParse(bytes, options: .init(depthLimit: 3)) {
      require(limited == json, "another value with a limit of depth")
      require(ReferenceParser.parse(bytes, depthLimit: 3) != nil, "deeper than the limit")
    }
    require(checkedParse(bytes, options: .init(sizeLimit: bytes.count)) == json, "another value with a limit of size")
    if !bytes.isEmpty {
      require(checkedParse(bytes, options: .init(sizeLimit: bytes.count - 1)) == nil, "larger than the limit")
    }
    let isContainer = json.map { $0.kind == .array || $0.kind == .object } ?? false
    let container = checkedParse(bytes, options: .init(root: .container))
    require(
      isContainer ? container == json : container == nil, "a container root gives \(container?.description ?? "none")")
  }

  /// The same text in UTF-16 and UTF-32 is the same value.
  private static func checkEncodings(_ bytes: [UInt8], _ json: JSON?) {
    // A second mark would be part of the text.
    guard let text = String(validating: bytes, as: UTF8.self), ![nil, "\u{FEFF}"].contains(text.unicodeScalars.first)
    else { return }
    for encoding in OtherEncoding.allCases {
      // Without a mark two characters of ASCII tell the encoding.
      let isTold = text.unicodeScalars.prefix(2).allSatisfy { $0.isASCII && $0 != "\0" }
      for hasMark in isTold ? [true, false] : [true] {
        let found = checkedParse(encoding.bytes(of: text, hasMark: hasMark))
        require(found == json, "\(encoding), mark \(hasMark): \(found?.description ?? "refused")")
      }
    }
  }

  static func isDetectedAsOtherEncoding(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 2 else { return false }
    return bytes.prefix(4).contains(0) || bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
  }
}
