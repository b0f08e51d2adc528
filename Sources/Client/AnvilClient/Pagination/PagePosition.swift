/// A position in a paged list: a page and a number of its items.
///
/// The position is `Codable`. You can store it and continue from it after a restart of the program.
public struct PagePosition: Hashable, Sendable, Codable {
  /// The page of a list, as the list identifies it.
  public enum Page: Hashable, Sendable, Codable {
    /// The first page, as the request describes it.
    case start
    /// The URL that the previous page linked to.
    case url(String)
    /// A cursor from the previous page.
    case cursor(String)
    /// The number of the page, or the number of items before it.
    case number(Int)
  }

  /// The page.
  public var page: Page
  /// The number of items of the page that were already returned.
  public var itemsTaken: Int

  // Stored positions have this name.
  private enum CodingKeys: String, CodingKey {
    case page = "place"
    case itemsTaken
  }

  /// Creates the position after `itemsTaken` items of `page`.
  public init(_ page: Page, itemsTaken: Int = 0) {
    self.page = page
    self.itemsTaken = itemsTaken
  }

  /// The beginning of the list.
  public static let start = PagePosition(.start)
}

extension PagePosition: CustomStringConvertible, CustomReflectable {
  /// The position without its cursor or URL, which may be secret. Safe to log.
  public var description: String { itemsTaken == 0 ? "\(page)" : "\(page), after \(itemsTaken) items" }
  /// A mirror without children, so that `dump` does not show secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PagePosition.Page: CustomStringConvertible, CustomReflectable {
  /// The kind of identification, and the value of a number.
  public var description: String {
    switch self {
    case .start: "the start"
    case .url: "a URL"
    case .cursor: "a cursor"
    case .number(let number): "number \(number)"
    }
  }
  /// A mirror without children, so that `dump` does not show secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
