public import AnvilJSON

extension JSON.Diagnosis {
  /// The form for programs, without values of the document: `code`, `message`, `subject`, `source`, `complete` and `problems`, each
  /// with `code`, `path`, `pointer`, `line`, `column`, `bytes` and the other details that are known.
  public var json: JSON { json(.redacted) }

  /// Returns the form for programs.
  public func json(_ values: Style.Values) -> JSON {
    JSON.object(
      [
        ("code", problems.first.map { JSON($0.code.rawValue) }),
        ("message", JSON(line)),
        ("subject", subject.map { JSON($0) }),
        ("source", JSON(source)),
        ("complete", JSON(isComplete)),
        ("problems", JSON(problems.map { $0.json(values) })),
      ])
  }
}

extension JSON.Diagnosis.Problem {
  fileprivate func json(_ values: JSON.Diagnosis.Style.Values) -> JSON {
    let found: JSON? = found.map { found in
      JSON.object(
        [
          ("kind", JSON(found.kind.rawValue)),
          ("text", values == .shown ? .some(JSON(found.text)) : .none),
        ])
    }
    let expected: JSON? =
      expected == nil && expectedKinds.isEmpty
      ? .none
      : .some(
        JSON.object(
          [
            ("type", self.expected.map { JSON($0) }),
            ("kinds", Self.list(expectedKinds.map(\.rawValue))),
          ]))
    return JSON.object(
      [
        ("code", JSON(code.rawValue)),
        ("path", JSON(pathText)),
        ("pointer", pointer.description.utf8.count <= 1_000 ? .some(JSON(pointer.description)) : .none),
        ("line", JSON(location.line)),
        ("column", JSON(location.column)),
        ("bytes", JSON([JSON(location.range.lowerBound), JSON(location.range.upperBound)])),
        ("missingKey", missingKey.map { JSON($0.shortened) }),
        ("missingIndex", missingIndex.map { JSON($0) }),
        ("expected", expected),
        ("found", found),
        ("detail", detail.map { JSON($0) }),
        ("model", model.map { JSON($0) }),
        ("property", property.map { JSON($0) }),
        ("keys", Self.list(keys)),
        ("choices", Self.list(choices)),
        ("strategies", Self.list(strategies)),
        ("hints", Self.list(hints)),
        ("reason", values == .shown ? reason.map { JSON($0) } : .none),
      ])
  }
}

extension JSON.Diagnosis.Problem {
  /// Returns an array of strings; nothing for an empty list.
  private static func list(_ strings: [String]) -> JSON? {
    strings.isEmpty ? .none : .some(JSON(strings.map { JSON($0) }))
  }
}

extension JSON {
  /// Returns an object of those members that have a value.
  package static func object(_ members: [(String, JSON?)]) -> JSON {
    JSON(members.compactMap { member in member.1.map { (key: member.0, value: $0) } })
  }
}
