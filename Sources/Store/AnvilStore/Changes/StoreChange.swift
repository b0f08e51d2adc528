/// A change to the row of a model, in the feed of ``Store/changes(of:after:)``.
public struct StoreChange<Model: ManagedDecodable> {
  /// The kinds of changes, with the model before and after the change.
  public enum Kind {
    case inserted(Model)
    case updated(from: Model, to: Model)
    case deleted(Model)
  }

  /// The change.
  public let kind: Kind
  /// The position in the feed after this change. A reader that stores it can continue with the next change.
  public let position: StorePosition
}

extension StoreChange: Sendable where Model: Sendable {}
extension StoreChange.Kind: Sendable where Model: Sendable {}
extension StoreChange: Equatable where Model: Equatable {}
extension StoreChange.Kind: Equatable where Model: Equatable {}

/// A position in the changes of a database.
///
/// It is an opaque text of a few dozen characters that a reader can store. It is valid only for the database that it came from, not for a
/// copy of that database or for one that was restored from a dump.
public struct StorePosition: RawRepresentable, Codable, Hashable, Sendable {
  /// The text.
  public let rawValue: String

  /// Creates a position from its text.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }
}
