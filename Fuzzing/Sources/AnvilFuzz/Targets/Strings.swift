import AnvilJSON

extension FuzzTarget {
  /// The content of a string literal, as a value and as a key, and any string written and read again.
  static let strings = FuzzTarget(name: "strings") { bytes in
    let quoted = [0x22] + bytes + [0x22]
    let json = checkedParse(quoted)
    if !isDetectedAsOtherEncoding(quoted) {
      let reference = ReferenceParser.parse(quoted)
      require((json == nil) == (reference == nil), "accepted \(json != nil), should be \(reference != nil)")
      if let json, let reference { require(reference.matches(json), "read as \(json)") }
    }

    // The same in the midst of others, as key and value: what was resolved in place must not reach its neighbours.
    let around = Array(#"["before",{"#.utf8) + quoted + Array(#":"\u00e9 é",""#.utf8) + bytes + Array(#"x":"#.utf8)
    let inside = around + quoted + Array(#"},"after"]"#.utf8)
    let insideReference = ReferenceParser.parse(inside)
    let insideJSON = checkedParse(inside)
    require((insideJSON == nil) == (insideReference == nil), "accepted \(insideJSON != nil) inside")
    if let insideJSON, let insideReference {
      require(insideReference.matches(insideJSON), "read as \(insideJSON)")
      checkKeys(of: insideJSON)
    }

    let text = String(decoding: bytes, as: UTF8.self)
    let built = JSON(text)
    require(built.string.map { hasScalars($0, of: text) } ?? false, "built as \(built)")
    checkOutput(of: built)
    let escaped = escapingEverything(text)
    let again = requireSuccess("escapes refused") { () throws(JSON.SyntaxError) in try JSON(parsing: escaped) }
    require(again == built, "escapes read as \(again)")
  } growth: { bytes in
    let quoted = [0x22] + bytes + [0x22]
    if let json = try? JSON(parsing: quoted) { _ = (json.string, json.hashValue, json.serializedData()) }
    if let json = try? JSON(parsing: [0x7B] + quoted + [0x3A] + quoted + [0x7D]) {
      _ = (json["a"], json.serializedData(order: .sortedKeys), json.compactCopy() == json)
    }
    _ = JSON(String(decoding: bytes, as: UTF8.self)).serializedData()
  }

  /// Every member is found by its key.
  private static func checkKeys(of json: JSON) {
    guard let object = json[1] else { return }
    for (key, _) in object.members {
      let first = object.members.first { hasScalars($0.key, of: key) }
      require(object[key] == first?.value, "\(key.debugDescription) is not found")
      require(object[JSON.Pointer(tokens: [key])] == first?.value, "no value at the pointer")
    }
  }

  /// `text` with each UTF-16 code unit as an escape.
  private static func escapingEverything(_ text: String) -> String {
    let escapes = text.utf16.map { unit in
      let digits = String(unit, radix: 16, uppercase: unit & 1 == 0)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return "\"" + escapes.joined() + "\""
  }
}
