#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Makes values that stand where a document has none that is good, so that decoding goes on.
///
/// Nobody gets to see what becomes of them. Depth and number are bounded, whatever a type is made of.
final class Placeholders {
  /// Of which kind placeholders are.
  enum Variant: Sendable {
    /// Empty, zero, `false`, `nil`, the first case.
    case first
    /// `"0"`, one, `true`, a value, the last case: what is thrown with these too does not hang on the first.
    case other
    /// Numbers and texts that differ, each greater than the one before: for code that compares them.
    case varied
  }

  private(set) var variant: Variant
  let userInfo: [CodingUserInfoKey: any Sendable]
  let codingPath: [any CodingKey]
  private let memory: CollectingMemory
  private var depth = 0
  private var budget = 4096
  private var count = 0

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

  /// A value of type `type`; `nil` where none can be made.
  func make<T: Decodable>(_ type: T.Type) -> T? {
    guard depth < Self.depthLimit, budget > 0 else { return nil }
    depth += 1
    budget -= 1
    defer { depth -= 1 }
    switch memory.way(of: type) {
    case .scalar(let scalar): return scalar.placeholder(self) as? T
    case .container(let container): return container.placeholder(self) as? T
    case .date: return Date(timeIntervalSinceReferenceDate: Double(number())) as? T
    case .data: return Data() as? T
    case .model: break
    }
    if let placeheld = type as? any PlaceheldValue.Type { return placeheld.placeholder(self) as? T }
    if let value = enumCase(type) ?? (try? type.init(from: PlaceholderDecoder(self))) { return value }
    return depth == 1 ? lastResort(type) : nil
  }

  /// A value of a type that refuses those that are tried first.
  private func lastResort<T: Decodable>(_ type: T.Type) -> T? {
    let first = variant
    defer { variant = first }
    for other in [Variant.first, .other, .varied] where other != first {
      variant = other
      count = 0
      if let value = try? type.init(from: PlaceholderDecoder(self)) { return value }
    }
    // The document may have a good one elsewhere.
    return memory.samples[ObjectIdentifier(type)] as? T
  }

  /// The next number.
  func number() -> Int {
    switch variant {
    case .first: return 0
    case .other: return 1
    case .varied:
      count += 1
      return count
    }
  }

  /// The next text.
  func text() -> String {
    switch variant {
    case .first: ""
    case .other: "0"
    case .varied: "placeholder \(number())"
    }
  }

  /// The first or last case of an enumeration without associated values.
  func enumCase<T>(_ type: T.Type) -> T? {
    if let shape = EnumShape(of: type) { return shape.value(type, variant == .first ? 0 : shape.count - 1) }
    func listed<Cases: CaseIterable>(_ type: Cases.Type) -> Any? {
      // A type may list what it likes, without end.
      let cases = Array(type.allCases.prefix(256))
      return variant == .first ? cases.first : cases.last
    }
    guard let type = type as? any CaseIterable.Type else { return nil }
    return listed(type) as? T
  }
}
