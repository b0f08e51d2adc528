/// Where a list that comes in pages goes on: at which page, and behind how many of its items.
///
/// `Codable`: store it, and go on from there in another run of the program.
public struct PagePosition: Hashable, Sendable, Codable {
  /// How a page is asked for.
  public enum Place: Hashable, Sendable, Codable {
    /// As the request says.
    case start
    /// At the URL that the page before linked to.
    case url(String)
    /// With a cursor that the page before had.
    case cursor(String)
    /// By its number, or by the number of items before it.
    case number(Int)
  }

  /// Which page.
  public var place: Place
  /// How many of the page's items were had already.
  public var itemsTaken: Int

  /// The position behind `itemsTaken` items of the page at `place`.
  public init(_ place: Place, itemsTaken: Int = 0) {
    self.place = place
    self.itemsTaken = itemsTaken
  }

  /// The beginning.
  public static let start = PagePosition(.start)
}

extension PagePosition: CustomStringConvertible, CustomReflectable {
  /// The position without cursor and URL, which may be secret: safe to log.
  public var description: String { itemsTaken == 0 ? "\(place)" : "\(place), behind \(itemsTaken) items" }
  /// A mirror without children, so that `dump` shows nothing either.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PagePosition.Place: CustomStringConvertible, CustomReflectable {
  /// What kind of place it is; a number with its value.
  public var description: String {
    switch self {
    case .start: "the start"
    case .url: "a URL"
    case .cursor: "a cursor"
    case .number(let number): "number \(number)"
    }
  }
  /// A mirror without children, so that `dump` shows nothing either.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
