#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Makes values that stand where a document has none that is good, so that decoding goes on.
///
/// Nobody gets to see what becomes of them. Depth and number are bounded, whatever a type is made of.
final class Placeholders {
  /// Of which of two kinds placeholders are: what is thrown with both does not hang on them.
  enum Variant: Sendable {
    /// Empty, zero, `false`, `nil`, the first case.
    case first
    /// `"0"`, one, `true`, a value, the last case.
    case other
  }

  private(set) var variant: Variant
  let userInfo: [CodingUserInfoKey: any Sendable]
  let codingPath: [any CodingKey]
  private let memory: CollectingMemory
  private var depth = 0
  private var budget = 4096

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
    case .scalar(let scalar): return scalar.placeholder(variant) as? T
    case .container(let container): return container.placeholder(self) as? T
    case .date: return Date(timeIntervalSinceReferenceDate: variant == .first ? 0 : 1) as? T
    case .data: return Data() as? T
    case .model: break
    }
    if let placeheld = type as? any PlaceheldValue.Type { return placeheld.placeholder(variant) as? T }
    if let value = enumCase(type) { return value }
    if let value = try? T(from: PlaceholderDecoder(self)) { return value }
    // What refuses the one kind may take the other: of a list in itself one case has an end.
    guard depth == 1 else { return nil }
    variant = variant == .first ? .other : .first
    return try? T(from: PlaceholderDecoder(self))
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
