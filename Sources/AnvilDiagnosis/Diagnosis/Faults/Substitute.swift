internal import AnvilJSON
internal import AnvilText

/// An object that was found in place of a model and is probably not the model itself: it lacks all keys of the model.
enum Substitute: Hashable, Sendable {
  /// An object whose member `key` contains the model. `missing` is the number of missing keys, and `found` is the number of those that the
  /// member's value has.
  case container(key: String, found: Int, missing: Int)
  /// An object that describes an error, recognised by its member `key`.
  case error(key: String)

  /// A short description of the value that was found.
  var phrase: String {
    switch self {
    case .container(let key, _, _): "object with its keys in \(key.shortened.quoted.printable)"
    case .error: "object that looks like an error"
    }
  }

  /// A suggestion for a fix.
  var hint: String {
    switch self {
    case .container(let key, let found, let missing):
      "\(key.shortened.quoted) contains \(found == missing ? "all" : "\(found) of the \(missing)") missing keys: "
        + "decode a type that contains the model"
    case .error(let key):
      "the object contains \(key.shortened.quoted) and none of the model's keys: the server may have returned an error"
    }
  }
}

/// Replaces the faults for the missing keys of an object by one fault if the object is not the model at all.
struct SubstituteFinder {
  private static let mostMembers = 200
  /// Keys of responses that describe errors. Source: RFC 6749 §5.2, RFC 9457 §3.1, and common servers.
  private static let errorKeys: Set<String> = [
    "error", "errors", "errormessage", "errordescription", "exception", "fault", "message", "detail",
  ]

  private var locator: ValueLocator
  /// The name of the type that was decoded.
  private let subject: String?

  init(_ locator: ValueLocator, subject: String?) {
    self.locator = locator
    self.subject = subject
  }

  /// Returns `faults` with one fault in place of all missing keys of an object that is not the model.
  mutating func joined(_ faults: [Fault]) -> [Fault] {
    var missing: [[JSON.Step]: [Int]] = [:]
    // Objects of which some member was read. They contain part of the model.
    var read: Set<[JSON.Step]> = []
    for (number, fault) in faults.enumerated() {
      if fault.code == .missingKey, case .key = fault.missing {
        missing[fault.steps, default: []].append(number)
      } else if !fault.steps.isEmpty {
        read.insert(fault.steps.dropLast())
      }
    }
    guard !missing.isEmpty else { return faults }
    var output: [Fault?] = faults
    for (steps, numbers) in missing.sorted(by: { $0.value[0] < $1.value[0] }) where !read.contains(steps) {
      guard let substitute = substitute(for: numbers.map { faults[$0] }, at: steps) else { continue }
      var fault = faults[numbers[0]]
      fault.code = substitute.code
      fault.expected = fault.model ?? (steps.isEmpty ? subject : nil)
      fault.kinds = [.object]
      fault.detail = substitute.phrase
      fault.substitute = substitute
      (fault.missing, fault.model, fault.property) = (nil, nil, nil)
      for number in numbers { output[number] = nil }
      output[numbers[0]] = fault
    }
    return output.compactMap { $0 }
  }

  /// Returns a description of the object at the end of `steps`, which lacks the keys of `faults`; `nil` if it may be the model.
  private mutating func substitute(for faults: [Fault], at steps: [JSON.Step]) -> Substitute? {
    // With a custom strategy, the spelling of keys is not known.
    guard !faults.contains(where: { $0.strategies.contains("keyDecodingStrategy = .custom") }),
      let object = locator.beginning(at: steps), object.depth == steps.count
    else { return nil }
    let missing = faults.compactMap { fault in if case .key(let key) = fault.missing { key } else { nil } }
    let known = faults.flatMap(\.modelKeys)
    let members = locator.members(of: object.token, limit: Self.mostMembers)
    // A key that is present, even in another spelling, shows that this is the model.
    let names = Set((known + missing).map(\.folded))
    guard !members.contains(where: { names.contains($0.key.folded) }) else { return nil }
    if missing.count > 1, let container = container(of: missing, in: members) { return container }
    guard steps.isEmpty else { return nil }
    let error = members.first { member in
      Self.errorKeys.contains(member.key.folded) && describesError(member.value, key: member.key.folded)
    }
    guard let error, !known.isEmpty || missing.count > 1 && error.key.folded.hasPrefix("error") else { return nil }
    return .error(key: error.key)
  }

  /// Returns the member whose value has more than half of the missing keys; `nil` if no member has, or if several have equally many.
  private func container(of missing: [String], in members: [(key: String, value: Token)]) -> Substitute? {
    let wanted = Set(missing.map(ScalarKey.init))
    let counts = members.map { member in
      let keys = Set(locator.members(of: member.value, limit: Self.mostMembers).map { ScalarKey($0.key) })
      return keys.intersection(wanted).count
    }
    guard let most = counts.max(), most * 2 > wanted.count, counts.count(where: { $0 == most }) == 1,
      let number = counts.firstIndex(of: most)
    else { return nil }
    return .container(key: members[number].key, found: most, missing: wanted.count)
  }

  private func describesError(_ value: Token, key: String) -> Bool {
    switch locator.text.kind(value) {
    case .string: true
    case .object, .array: key != "message" && key != "detail"
    case .number, .bool: key == "error"
    case .null, nil: false
    }
  }
}

extension Substitute {
  fileprivate var code: JSON.Diagnosis.Code {
    switch self {
    case .container: .wrappedModel
    case .error: .errorObject
    }
  }
}
