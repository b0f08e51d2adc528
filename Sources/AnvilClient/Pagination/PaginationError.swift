#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why there is no way on from a page: its link leads nowhere or to another server, or pages lead in a circle.
public struct PaginationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is the matter, safe to log.
  public let description: String

  /// An error that reads `description`.
  public init(description: String) {
    self.description = description
  }
}

extension PaginationError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
