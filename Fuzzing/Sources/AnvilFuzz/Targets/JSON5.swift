import AnvilJSON

extension FuzzTarget {
  /// Any text as JSON5, with and without the braces of its outermost object. Whatever is JSON is JSON5 and says the same.
  static let json5 = FuzzTarget(name: "json5", repeated: .elements) { bytes in
    let json = try? JSON(parsing: bytes)
    let found = checkedParse(bytes, options: .init(syntax: .json5))
    if let json { require(found == json, "JSON is read as \(found?.description ?? "nothing")") }
    if let found { checkJSON5(found) }
    for syntax in [.json, .json5] as [JSON.ParsingOptions.Syntax] {
      let members = checkedParse(bytes, options: .init(root: .members, syntax: syntax))
      require(members.map { $0.kind == .object } ?? true, "members are \(members?.kind.rawValue ?? "")")
      _ = checkedParse(bytes, options: .init(depthLimit: 3, root: .container, syntax: syntax))
      if let members { checkJSON5(members) }
    }
    guard !isDetectedAsOtherEncoding(bytes), !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return }
    // What is an object with braces is one without, and the other way round.
    if let whole = try? JSON(parsing: [0x7B] + bytes + [0x7D]) {
      let members = try? JSON(parsing: bytes, options: .init(root: .members))
      require(members == whole, "without braces \(members?.description ?? "nothing"), with them \(whole)")
    }
  } growth: { bytes in
    _ = (try? JSON(parsing: bytes, options: .init(syntax: .json5)))?.serializedData()
    _ = try? JSON(parsing: bytes, options: .init(root: .members, syntax: .json5))
  }

  /// A value of JSON5 is written as JSON, and is the same but for numbers that JSON does not have.
  private static func checkJSON5(_ json: JSON) {
    let text = json.serializedData()
    let again = requireSuccess("output is no JSON") { () throws(JSON.SyntaxError) in try JSON(parsing: text) }
    let isFinite = (try? json.canonicalForm()) != nil
    require(!isFinite || again == json, "output is \(again), not \(json)")
    require(
      json.compactCopy() == json && json.compactCopy().hashValue == json.hashValue, "a copy of \(json) is another")
    _ = (json.double, json.int, json.decimal, json.integer(as: UInt128.self), json.numberText)
  }
}
