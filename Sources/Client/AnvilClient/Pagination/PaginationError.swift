#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The error of a page whose next page cannot be requested: its link is invalid or leads to another origin, or the pages form a cycle.
public struct PaginationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A description of the problem, safe to log.
  public let description: String

  /// Creates an error with `description`.
  package init(description: String) {
    self.description = description
  }
}

extension PaginationError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
