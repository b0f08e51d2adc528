/// A complete list of rows that is stored in several transactions, for example page by page from an API. Rows that are not in the list are
/// deleted at its end.
///
///     let listing = StoreListing("members of red")
///     try await store.perform { try $0.begin(listing, of: Member.self) }
///     for page in pages {
///       try await store.perform { transaction in
///         try transaction.createOrUpdate([Member].self, from: page.decoder, in: listing)
///       }
///     }
///     let deleted = try await store.perform { transaction in
///       try transaction.end(listing, of: Member.self, missing: .deleted(Member.self, where: \.team == "red"))
///     }
///
/// The database keeps the keys of the listed rows, and commits them with their page. A listing therefore needs no memory, and can be
/// continued after the process has ended. A listing that is begun and never ended deletes nothing.
public struct StoreListing: Hashable, Sendable {
  /// The name, which identifies the listing among all listings of the same entity.
  package let name: String

  /// Creates a listing with a name that stays the same when the program runs again.
  public init(_ name: String) {
    self.name = name
  }
}
