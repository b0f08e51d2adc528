#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error of a ``Pull``, apart from the errors of requests and of the store.
public struct PullError: Error, Hashable, Sendable {
  /// The kinds of error.
  @nonexhaustive
  public enum Code: String, Hashable, Sendable {
    /// The settings of the pull contradict each other, or do not suit the table.
    case invalidPull
    /// A page has no list at the path of the items.
    case noList
    /// The field of the cursor is missing from a row, or null.
    case cursorMissing
    /// The field of the cursor has a value that cannot be compared with the others.
    case cursorNotComparable
    /// Another run of the same pull has stored the page in the meantime. This run has stored nothing of the page.
    case overtaken
  }

  /// The kind of error.
  public let code: Code
  /// The name of the pull.
  public let pull: String
  /// The name of the partition; empty for a listing without partitions.
  public let partition: String
  /// The number of the page, counted from 1; `nil` if the error is not about a page.
  public let page: Int?
  /// The explanation, with paths and types but no values.
  public let reason: String

  init(_ code: Code, pull: String, partition: String = "", page: Int? = nil, reason: String) {
    self.code = code
    self.pull = pull
    self.partition = partition
    self.page = page
    self.reason = reason
  }
}

extension PullError: CustomStringConvertible, LocalizedError {
  /// The error in one line, safe to log: `pull members, page 3: [7].updated_at is missing, …`.
  public var description: String {
    var place = "pull \(pull)"
    if !partition.isEmpty { place += ", partition \(partition)" }
    if let page { place += ", page \(page)" }
    return "\(place): \(reason)"
  }

  /// The same text as `description`.
  public var errorDescription: String? { description }
}
