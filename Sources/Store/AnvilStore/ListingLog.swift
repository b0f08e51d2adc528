#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The open listings and the keys of their rows, stored in two tables of the database.
struct ListingLog {
  /// The table of the open listings. Each listing has an entity, a name and a random number.
  static let listings = "anvil_listings"
  /// The table of the keys of listed rows. Each key is stored with the number of its listing.
  static let keys = "anvil_listed"

  /// The beginning of the name of a temporary listing, which cannot be continued by another process.
  static let temporaryPrefix = "anvil stream "
  /// The age in seconds after which a temporary listing counts as abandoned and is removed. If its process is still running, its next batch
  /// fails.
  private static let longestLife: Double = 7 * 86_400

  let connection: any StoreConnection

  /// Creates the tables if they do not exist. The caller has to hold their lock.
  func create() throws {
    let (text, integer) = (connection.columnType(for: .text), connection.columnType(for: .integer))
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS \(try connection.quoted(Self.listings)) (\
      entity \(text) NOT NULL, name \(text) NOT NULL, number \(integer) NOT NULL, \
      begun \(connection.columnType(for: .date)) NOT NULL, PRIMARY KEY (entity, name))
      """)
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS \(try connection.quoted(Self.keys)) (\
      listing \(integer) NOT NULL, \(try connection.quoted("key")) \(text) NOT NULL, \
      PRIMARY KEY (\(try connection.quoted("key")), listing))
      """)
    try connection.run(
      "CREATE INDEX IF NOT EXISTS \(Self.keys)_listing ON \(try connection.quoted(Self.keys)) (listing)")
  }

  /// Returns `true` if both tables exist.
  func exists() throws -> Bool {
    try connection.tableExists(Self.listings) && connection.tableExists(Self.keys)
  }

  /// Returns the number of an open listing; `nil` if it was not begun.
  func number(of listing: StoreListing, _ entity: String) throws -> Int64? {
    guard try exists() else { return nil }
    var number: Int64?
    let sql = """
      SELECT number FROM \(try connection.quoted(Self.listings)) \
      WHERE entity = \(connection.placeholder(1)) AND name = \(connection.placeholder(2))
      """
    try connection.query(sql, [.text(entity), .text(listing.name)]) { row in
      number = try row.integer(at: 0)
      return .stop
    }
    return number
  }

  func append(_ listing: StoreListing, _ entity: String) throws {
    let placeholders = (1...4).map(connection.placeholder).joined(separator: ", ")
    try connection.run(
      """
      INSERT INTO \(try connection.quoted(Self.listings)) (entity, name, number, begun) VALUES (\(placeholders))
      """,
      [
        .text(entity), .text(listing.name), .integer(.random(in: 0 ... .max)),
        .real(Date().timeIntervalSinceReferenceDate),
      ])
  }

  /// Removes the listing and its keys.
  func remove(_ listing: StoreListing, _ entity: String) throws {
    guard let number = try number(of: listing, entity) else { return }
    try removeKeys(of: number)
    try connection.run(
      "DELETE FROM \(try connection.quoted(Self.listings)) WHERE number = \(connection.placeholder(1))",
      [.integer(number)])
  }

  /// Removes the temporary listings that are older than ``longestLife``.
  func removeAbandoned() throws {
    var abandoned: [(StoreListing, String)] = []
    let sql =
      "SELECT name, entity FROM \(try connection.quoted(Self.listings)) WHERE begun < \(connection.placeholder(1))"
    try connection.query(sql, [.real(Date().timeIntervalSinceReferenceDate - Self.longestLife)]) { row in
      if let name = try row.text(at: 0), name.hasPrefix(Self.temporaryPrefix), let entity = try row.text(at: 1) {
        abandoned.append((StoreListing(name), entity))
      }
      return .goOn
    }
    for (listing, entity) in abandoned { try remove(listing, entity) }
  }

  private func removeKeys(of number: Int64) throws {
    try connection.run(
      "DELETE FROM \(try connection.quoted(Self.keys)) WHERE listing = \(connection.placeholder(1))",
      [.integer(number)])
  }

  /// Returns the keys that are in at least one of the listings. Runs one query, regardless of the number of listings.
  func listed(_ keys: [StoreValue], in numbers: Set<Int64>) throws -> Set<StoreValue> {
    guard let last = keys.last else { return [] }
    // The sizes are powers of two, so that few different statements are needed.
    var size = 1
    while size < keys.count { size *= 2 }
    let placeholders = (1...size).map(connection.placeholder).joined(separator: ", ")
    let name = try connection.quoted("key")
    let sql = "SELECT \(name), listing FROM \(try connection.quoted(Self.keys)) WHERE \(name) IN (\(placeholders))"
    let padded = keys + Array(repeating: last, count: size - keys.count)
    var listed: Set<StoreValue> = []
    try connection.query(sql, padded) { row in
      if let key = try row.text(at: 0), let number = try row.integer(at: 1), numbers.contains(number) {
        listed.insert(.text(key))
      }
      return .goOn
    }
    return listed
  }

  /// The table and the columns of listed keys. A key that is already listed is not written again.
  static let writing = RowWriting(
    table: keys, columns: [.init("listing", .integer), .init("key", .text)], keyNames: ["key", "listing"],
    existingRow: .updated)
}
