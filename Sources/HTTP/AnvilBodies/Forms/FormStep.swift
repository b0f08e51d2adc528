/// A step of the path given by a name in a form.
enum FormStep: Equatable {
  /// The value of a key, or the element at an index.
  case key(String)
  /// A new element of an array: `[]`.
  case next

  /// Returns the steps of `name`, at least one: `user[tags][]` has three. A name with unbalanced brackets is a single key.
  static func steps(of name: String) -> [FormStep] {
    let bytes = name.utf8
    guard let open = bytes.firstIndex(of: UInt8(ascii: "[")), open > bytes.startIndex else { return [.key(name)] }
    var steps: [FormStep] = [.key(String(name[..<open]))]
    var rest = name[open...].utf8
    while rest.popFirst() == UInt8(ascii: "[") {
      guard let close = rest.firstIndex(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }),
        rest[close] == UInt8(ascii: "]")
      else { return [.key(name)] }
      let key = rest[..<close]
      steps.append(key.isEmpty ? .next : .key(String(Substring(key))))
      rest = rest[close...].dropFirst()
      if rest.isEmpty { return steps }
    }
    return [.key(name)]
  }
}
