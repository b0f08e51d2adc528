internal import AnvilBase
internal import AnvilJSON

/// Makes values that replace wrong or missing ones of a document, so that decoding can continue.
///
/// Models decoded from these values are discarded. The nesting depth and the number of values are limited, so that every type ends.
final class Placeholders {
  enum Variant: Sendable {
    /// Empty containers and strings, zero, `false`, `nil`, and the first case of an enumeration.
    case first
    /// The string `"0"`, one, `true`, a value for an optional, and the last case. A fault that also occurs with these was not caused by the
    /// placeholders of ``first``.
    case other
    /// Different numbers and texts, each greater than the one before, for code that compares them.
    case varied
  }

  private(set) var variant: Variant
  let userInfo: [CodingUserInfoKey: any Sendable]
  let codingPath: [any CodingKey]
  private let memory: CollectingMemory
  private var depth = 0
  private var budget = 4096
  private var count = 0
  /// The next text, if it is known: the tag of an enumeration, which its code reads first.
  private var nextText: String?

  private static var depthLimit: Int { 12 }

  init(
    _ variant: Variant, userInfo: [CodingUserInfoKey: any Sendable], codingPath: [any CodingKey],
    memory: CollectingMemory
  ) {
    self.variant = variant
    self.userInfo = userInfo
    self.codingPath = codingPath
    self.memory = memory
  }

  @_semantics("optimize.sil.specialize.generic.never")
  func make<T: Decodable>(_ type: T.Type) -> T? {
    guard depth < Self.depthLimit, budget > 0 else { return nil }
    depth += 1
    budget -= 1
    defer { depth -= 1 }
    switch memory.method(of: type) {
    case .scalar(let scalar): return scalar.placeholder(self) as? T
    case .container(let container): return container.placeholder(self) as? T
    case .date: return Date(timeIntervalSinceReferenceDate: Double(number())) as? T
    case .data: return Data() as? T
    case .model: break
    }
    if let type = type as? any PlaceholderValue.Type { return type.placeholder(self) as? T }
    if let value = enumCase(type) ?? decoded(type) { return value }
    return depth == 1 ? lastResort(type) : nil
  }

  /// Returns a value like the results of `convert`, whose type need not be `Decodable`; `nil` if none can be made.
  func make<Coded: Decodable, Value>(_ convert: (Coded) throws -> Value) -> Value? {
    if let decodable = Value.self as? any Decodable.Type { return make(decodable) as? Value }
    if let value = enumCase(Value.self) { return value }
    let own = variant
    defer { variant = own }
    for variant in [own, .first, .other, .varied] {
      self.variant = variant
      if let value = make(Coded.self).flatMap({ try? convert($0) }) { return value }
    }
    return nil
  }

  /// Returns a value that the type's own code makes of placeholders. A type that names its cases receives the tag of one of them.
  private func decoded<T: Decodable>(_ type: T.Type) -> T? {
    do {
      return try type.init(from: PlaceholderDecoder(self))
    } catch {
      guard let cases = UnknownCase.cases(of: error),
        let tag = variant == .first ? cases.first : cases.last, nextText == nil
      else { return nil }
      nextText = tag
      defer { nextText = nil }
      return try? type.init(from: PlaceholderDecoder(self))
    }
  }

  /// Returns a value of a type that rejects the current kind of placeholder: one made with another kind, or one that the document contains.
  private func lastResort<T: Decodable>(_ type: T.Type) -> T? {
    let first = variant
    defer { variant = first }
    for other in [Variant.first, .other, .varied] where other != first {
      variant = other
      count = 0
      if let value = try? type.init(from: PlaceholderDecoder(self)) { return value }
    }
    // The document may contain a valid one elsewhere.
    return memory.samples[ObjectIdentifier(type)] as? T
  }

  func number() -> Int {
    switch variant {
    case .first: return 0
    case .other: return 1
    case .varied:
      count += 1
      return count
    }
  }

  func text() -> String {
    if let text = nextText {
      nextText = nil
      return text
    }
    return switch variant {
    case .first: ""
    case .other: "0"
    case .varied: "placeholder \(number())"
    }
  }

  /// Returns the first or last case of an enumeration without associated values.
  func enumCase<T>(_ type: T.Type) -> T? {
    if let shape = EnumMetadata(of: type) { return shape.value(type, variant == .first ? 0 : shape.count - 1) }
    func listed<Cases: CaseIterable>(_ type: Cases.Type) -> Any? {
      // A custom list of cases may be infinite.
      let cases = Array(type.allCases.prefix(256))
      return variant == .first ? cases.first : cases.last
    }
    guard let type = type as? any CaseIterable.Type else { return nil }
    return listed(type) as? T
  }
}
