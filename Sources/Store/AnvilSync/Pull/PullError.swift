#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error of a ``Pull``. Requests and the store have separate errors.
public struct PullError: Error, Hashable, Sendable {
  /// The kinds of error.
  @nonexhaustive
  public enum Code: String, Hashable, Sendable {
    /// The settings of the pull contradict each other, or do not match the table.
    ///
    /// What to do: correct the pull: `reason` names the settings.
    case invalidPull
    /// A page has no list at the path of the items.
    ///
    /// What to do: check the path, and whether the API changed.
    case noList
    /// A path of the pull does not fit a page or a row. A value on its way is neither an object or array, as the path requires, nor null; it leads to
    /// several values; or it is spelled like a key with dots.
    ///
    /// What to do: check the path that `reason` names, and whether the API changed.
    case pathMismatch
    /// The field of the cursor is missing from all rows of the first page, and no value was received before.
    ///
    /// What to do: check the path, and choose a field that all rows have.
    case cursorMissing
    /// The field of the cursor has a value that cannot be compared with the others.
    ///
    /// What to do: choose a number, or a date in one form.
    case cursorNotComparable
    /// Another run of the same pull has stored the page, or has started again, in the meantime. This run has stored nothing of the page.
    ///
    /// What to do: nothing is lost; run one pull at a time, or share partitions by leases.
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
