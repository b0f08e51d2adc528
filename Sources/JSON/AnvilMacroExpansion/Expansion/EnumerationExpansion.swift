/// The generated code of an enumeration.
struct EnumerationExpansion {
  /// A case together with one of the texts that identify it.
  struct Arm {
    let enumerationCase: Case
    let tag: String
    /// The members of the object with the case's values.
    let tree: MemberTree
    /// The name of the enumeration of the keys of ``tree``, which is inside ``codingKeys``.
    let keys: String
    let codingKeys: String
    let model: String

    var hasValues: Bool { !enumerationCase.values.isEmpty }
    var coding: ContainerCoding { ContainerCoding(keys: "\(codingKeys).\(keys)", model: model) }
  }

  let model: Model
  let tagging: Tagging
  let cases: [Case]
  /// One arm for each tag and each alias of every case except the unknown case.
  let arms: [Arm]

  init(_ model: Model, _ tagging: Tagging, _ cases: [Case]) {
    self.model = model
    self.tagging = tagging
    self.cases = cases
    arms = cases.filter { !$0.isUnknown }.flatMap { enumerationCase in
      ([enumerationCase.tag] + enumerationCase.aliases).enumerated().map { index, tag in
        Arm(
          enumerationCase: enumerationCase, tag: tag, tree: Self.tree(of: enumerationCase, tag, tagging),
          keys: enumerationCase.identifier.capitalizedFirst + (index == 0 ? "" : "\(index + 1)") + "Keys",
          codingKeys: model.codingKeys, model: model.name)
      }
    }
  }

  static func tree(of enumerationCase: Case, _ tag: String, _ tagging: Tagging) -> MemberTree {
    let content: String
    var isNewtypeInObject = false
    switch tagging {
    case .raw, .name, .internal: return MemberTree(enumerationCase.values)
    case .key:
      content = tag
      isNewtypeInObject = true
    case .external: content = tag
    case .adjacent(_, let key): content = key
    }
    guard var newtype = enumerationCase.newtype, !isNewtypeInObject else {
      return enumerationCase.values.isEmpty ? MemberTree([]) : MemberTree(enumerationCase.values, in: content)
    }
    newtype.path = [content]
    // Without the member, nothing would tell which case it is.
    if case .external = tagging { newtype.isNullWritten = true }
    return MemberTree([newtype])
  }

  var unknown: Case? { cases.first(where: \.isUnknown) }

  /// True if the cases have raw values and none of them is `@CodableUnknown`. The type then uses the coding of `RawRepresentable` types.
  var isPlainRaw: Bool { if case .raw = tagging { unknown == nil } else { false } }

  // MARK: - Parts

  var parts: Parts {
    Parts(
      reading: reading, decoding: decoding, writing: writing,
      encoding: encoding)
  }

  /// Returns the expression for a case with its values.
  func construction(_ enumerationCase: Case, _ value: (Property) -> String) -> String {
    guard !enumerationCase.values.isEmpty else { return ".\(enumerationCase.name)" }
    let arguments = enumerationCase.values.map { $0.isLabelled ? "\($0.label): \(value($0))" : value($0) }
    return ".\(enumerationCase.name)(\(arguments.joined(separator: ", ")))"
  }

  func variable(_ property: Property) -> String { property.identifier + "Value" }

  /// Returns the pattern that binds the values of a case.
  func pattern(_ enumerationCase: Case) -> String {
    guard !enumerationCase.values.isEmpty else { return ".\(enumerationCase.name)" }
    let variables = enumerationCase.values.map { "let \(variable($0))" }
    return ".\(enumerationCase.name)(\(variables.joined(separator: ", ")))"
  }

  /// The arms that are written: one for each case.
  var writtenArms: [Arm] {
    var names: Set<String> = []
    return arms.filter { names.insert($0.enumerationCase.name).inserted }
  }

  func header(_ declaration: String, _ protocolName: String) -> String {
    model.modifiers + declaration + model.functionClause(protocolName)
  }

  // MARK: - Tags

  /// The declaration of the member that identifies cases, and of the values that are in the same object.
  var tag: Lines {
    var lines = Lines()
    lines.add("\(model.modifiers)static var _tagKey: Swift.String { \(tagging.tag?.literal ?? "") }")
    lines.block("\(model.modifiers)static var _taggedValues: [(type: any Any.Type, isUnknown: Swift.Bool)]") { lines in
      var values: [String] = []
      for enumerationCase in cases {
        guard let value = enumerationCase.newtype else { continue }
        if enumerationCase.isUnknown {
          values.append("(\(value.type).self, true)")
        } else if case .internal = tagging {
          values.append("(\(value.type).self, false)")
        }
      }
      lines.add("[\(values.joined(separator: ", "))]")
    }
    return lines
  }

  /// True if a value without a known tag has a case.
  var isOpen: Bool { unknown != nil }

  // MARK: - Keys

  var keys: Lines {
    var lines = Lines()
    let cases: [String]
    switch tagging {
    case .raw, .name: return lines
    case .external where memberArms.isEmpty:
      lines.add("enum \(model.codingKeys): Swift.CodingKey {}")
      return lines
    case .key, .external: cases = zip(keyNames, memberArms).map { "case \($0) = \($1.tag.literal)" }
    case .internal(let tag), .adjacent(let tag, _): cases = ["case tag = \(tag.literal)"]
    }
    lines.block("enum \(model.codingKeys): Swift.String, Swift.CodingKey") { lines in
      for enumerationCase in cases { lines.add(enumerationCase) }
      for arm in arms where arm.hasValues && !isInternalNewtype(arm) {
        lines.add(arm.coding.keyEnumeration(of: arm.tree, named: arm.keys))
      }
    }
    return lines
  }

  /// The known cases that are coded as an object with one member, once for each of their texts.
  var memberArms: [Arm] { if case .external = tagging { arms.filter(\.hasValues) } else { arms } }

  /// The names of the key cases that identify cases of the enumeration, in the order of ``memberArms``.
  var keyNames: [String] {
    var counts: [String: Int] = [:]
    return memberArms.map { arm in
      counts[arm.enumerationCase.name, default: 0] += 1
      let count = counts[arm.enumerationCase.name] ?? 1
      return count == 1 ? arm.enumerationCase.name : "\(arm.enumerationCase.identifier)_\(count)"
    }
  }

  func isInternalNewtype(_ arm: Arm) -> Bool {
    if case .internal = tagging { arm.enumerationCase.newtype != nil } else { false }
  }
}
