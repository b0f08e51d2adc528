internal import AnvilBase
internal import AnvilJSON

/// An object that was found in place of a model and is probably not the model itself: it lacks all keys of the model.
enum Substitute: Hashable, Sendable {
  /// An object whose member `key` contains the model. `missing` is the number of missing keys, and `found` is the number of those that the
  /// member's value has.
  case container(key: String, found: Int, missing: Int)
  /// An object that describes an error, recognised by its member `key`.
  case error(key: String)
  /// An object that describes an error, in place of an array.
  case errorForArray(key: String)

  var code: JSON.Diagnosis.Code { if case .container = self { .wrappedModel } else { .errorObject } }

  /// A short description of the value that was found.
  var phrase: String {
    switch self {
    case .container(let key, _, _): "object with its keys in \(key.shortened.quoted.printable)"
    case .error, .errorForArray: "object that looks like an error"
    }
  }

  var hint: String {
    switch self {
    case .container(let key, let found, let missing):
      "\(key.shortened.quoted) contains \(found == missing ? "all" : "\(found) of the \(missing)") missing keys: "
        + "decode a type that contains the model"
    case .error(let key):
      "the object contains \(key.shortened.quoted) and none of the model's keys: the server may have returned an error"
    case .errorForArray(let key):
      "the object contains \(key.shortened.quoted): the server may have returned an error"
    }
  }
}

struct ErrorObject {
  /// The member that describes the error.
  let key: String
  /// True if the member's key means an error. `message` and `detail` may have other meanings.
  let isExplicit: Bool
  /// The keys, ``Swift/String/folded``, that belong to the description of an error and therefore do not show that the object is a model.
  let keys: Set<String>

  private static let explicitKeys: Set<String> = [
    "error", "errors", "errormessage", "errormessages", "errordescription", "exception", "fault",
  ]
  private static let companions: Set<String> = [
    "status", "statuscode", "code", "ok", "success", "timestamp", "path", "type", "requestid", "traceid",
  ]
  private static let references: Set<String> = ["documentationurl", "docs", "help", "moreinfo", "errorcode"]
  private static let problemKeys: Set<String> = ["type", "title", "status", "detail", "instance", "traceid", "errors"]

  /// Recognises the description of an error in the members of an object; `nil` if the object is not such a description.
  ///
  /// Source: RFC 6749 §5.2, RFC 9457 §3.1, the GraphQL specification §7.1, and the responses of common servers and frameworks, such as
  /// FastAPI, Spring, Jira and Slack.
  init?(_ members: [(key: String, value: Token)], in locator: ValueLocator) {
    let named = members.map { (key: $0.key, folded: $0.key.folded, value: $0.value) }
    if let key = Self.problem(named, locator) {
      (self.key, isExplicit, keys) = (key, true, Self.problemKeys)
    } else if let member = named.first(where: {
      Self.explicitKeys.contains($0.folded) && Self.describesError($0.value, locator)
    }) {
      (key, isExplicit, keys) = (member.key, true, Self.companions)
    } else if let member = named.first(where: {
      $0.folded == "detail" && Self.isValidation($0.value, locator)
    }) {
      (key, isExplicit, keys) = (member.key, true, [])
    } else if let member = named.first(where: {
      ($0.folded == "message" || $0.folded == "detail") && Self.isText($0.value, locator)
    }) {
      (key, isExplicit, keys) = (member.key, false, [])
    } else {
      return nil
    }
  }

  /// Returns whether a member with the key accompanies the description of an error, and hardly anything else.
  static func isCompanion(_ key: String) -> Bool { companions.union(references).contains(key.folded) }

  /// Returns the key that describes the error in an object of the form of RFC 9457, with the status of an error; `nil` for other objects.
  private static func problem(
    _ members: [(key: String, folded: String, value: Token)], _ locator: ValueLocator
  ) -> String? {
    func text(_ name: String) -> String? {
      members.first { $0.folded == name && isText($0.value, locator) }?.key
    }
    guard let status = members.first(where: { $0.folded == "status" }),
      let code = Int(String(decoding: locator.text.bytes[status.value.range], as: UTF8.self)),
      (400...599).contains(code),
      let title = text("title"), let other = text("detail") ?? text("type") ?? text("instance")
    else { return nil }
    return text("detail") == other ? other : title
  }

  private static func describesError(_ value: Token, _ locator: ValueLocator) -> Bool {
    switch locator.text.kind(value) {
    case .string: isText(value, locator)
    case .object, .array: locator.firstChild(of: value) != nil
    case .number, .bool: !["false", "0"].contains(String(decoding: locator.text.bytes[value.range], as: UTF8.self))
    case .null, nil: false
    }
  }

  /// Returns `true` if `value` is a string that is not empty.
  private static func isText(_ value: Token, _ locator: ValueLocator) -> Bool {
    locator.text.kind(value) == .string && value.range.count > 2
  }

  /// Returns `true` if `value` is an array of the problems of a request, as FastAPI returns them: `[{"loc": […], "msg": "…"}]`.
  private static func isValidation(_ value: Token, _ locator: ValueLocator) -> Bool {
    guard let first = locator.firstChild(of: value) else { return false }
    return locator.members(of: first, limit: 20).contains { $0.key == "msg" && isText($0.value, locator) }
  }
}

/// Replaces the faults for the missing keys of an object by one fault if the object is not the model at all.
struct SubstituteFinder {
  var locator: ValueLocator
  /// The name of the type that was decoded.
  let subject: String?

  /// Returns `faults` with one fault in place of all faults of an object that is not the model.
  mutating func joined(_ faults: [Fault]) -> [Fault] {
    if let fault = faults.first, faults.count == 1, let substitute = substituteForArray(fault) {
      return [self.fault(fault, for: substitute)]
    }
    var missing: [[JSON.Step]: [Int]] = [:]
    // The members that were read of each object, with the numbers of their faults. They contain part of the model.
    var read: [[JSON.Step]: [(step: JSON.Step, number: Int)]] = [:]
    for (number, fault) in faults.enumerated() {
      if fault.code == .missingKey, case .key = fault.missing {
        missing[fault.steps, default: []].append(number)
      } else if let last = fault.steps.last {
        read[fault.steps.dropLast(), default: []].append((last, number))
      }
    }
    guard !missing.isEmpty else { return faults }
    var output: [Fault?] = faults
    for (steps, numbers) in missing.sorted(on: { $0.value[0] }) {
      let read = read[steps] ?? []
      guard let substitute = substitute(for: numbers.map { faults[$0] }, reading: read.map(\.step), at: steps) else {
        continue
      }
      for number in numbers + read.map(\.number) { output[number] = nil }
      output[numbers[0]] = fault(faults[numbers[0]], for: substitute)
    }
    return output.compactMap { $0 }
  }

  /// Returns `fault` as a fault of the whole object, which is `substitute`.
  private func fault(_ fault: Fault, for substitute: Substitute) -> Fault {
    var result = fault
    result.code = substitute.code
    result.detail = substitute.phrase
    result.substitute = substitute
    if case .errorForArray = substitute { return result }
    result.expected = fault.model ?? (fault.steps.isEmpty ? subject : nil)
    result.kinds = [.object]
    (result.missing, result.model, result.property) = (nil, nil, nil)
    return result
  }

  /// Returns a description of the root, which is an object in place of the array of `fault`; `nil` if it does not describe an error.
  private mutating func substituteForArray(_ fault: Fault) -> Substitute? {
    guard fault.code == .typeMismatch, fault.steps.isEmpty,
      fault.kinds == [.array] || fault.kinds.isEmpty && fault.expected == "an array",
      let root = locator.beginning(at: [])
    else { return nil }
    let members = locator.members(of: root.token)
    guard let error = ErrorObject(members, in: locator) else { return nil }
    // Another array may be the expected one, and a text alone is no sign of an error beside other contents.
    let belongs = members.allSatisfy { member in
      member.key == error.key
        || (error.isExplicit
          ? locator.text.kind(member.value) != .array || member.key.folded.hasPrefix("error")
          : ErrorObject.isCompanion(member.key))
    }
    guard belongs else { return nil }
    return .errorForArray(key: error.key)
  }

  /// Returns a description of the object at the end of `steps`, which lacks the keys of `faults`; `nil` if it may be the model.
  ///
  /// - Parameter read: the keys of the object's members that have faults themselves.
  private mutating func substitute(
    for faults: [Fault], reading read: [JSON.Step], at steps: [JSON.Step]
  ) -> Substitute? {
    // With a custom strategy, the spelling of keys is not known.
    guard !faults.contains(where: { $0.strategies.contains("keyDecodingStrategy = .custom") }),
      let object = locator.beginning(at: steps), object.depth == steps.count
    else { return nil }
    let missing = faults.compactMap { fault in if case .key(let key) = fault.missing { key } else { nil } }
    let known = faults.flatMap(\.modelKeys)
    let members = locator.members(of: object.token)
    let names = Set((known + missing).map(\.folded))
    // A key that is present, even in another spelling, shows that this is the model.
    let present = Set(members.map(\.key.folded)).intersection(names)
    if present.isEmpty, read.isEmpty, missing.count > 1, let container = container(of: missing, in: members) {
      return container
    }
    guard steps.isEmpty, let error = ErrorObject(members, in: locator),
      present.subtracting(error.keys).isEmpty, !Set(missing.map(\.folded)).isSubset(of: error.keys),
      read.allSatisfy({ if case .key(let key) = $0 { error.keys.contains(key.folded) } else { false } }),
      !known.isEmpty || missing.count > 1 && error.isExplicit
    else { return nil }
    return .error(key: error.key)
  }

  /// Returns the member whose value has more than half of the missing keys; `nil` if no member has, or if several have equally many.
  private func container(of missing: [String], in members: [(key: String, value: Token)]) -> Substitute? {
    let wanted = Set(missing.map(ScalarKey.init))
    let counts = members.map { member in
      let keys = Set(locator.members(of: member.value).map { ScalarKey($0.key) })
      return keys.intersection(wanted).count
    }
    guard let most = counts.max(), most * 2 > wanted.count, counts.count(where: { $0 == most }) == 1,
      let number = counts.firstIndex(of: most)
    else { return nil }
    return .container(key: members[number].key, found: most, missing: wanted.count)
  }
}
