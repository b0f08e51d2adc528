internal import Anvil
internal import AnvilDiagnosis
internal import AnvilHTTP
internal import AnvilJSON
internal import AnvilSchema
internal import Foundation

/// The configuration file of `anvil pull`.
struct PullFile: Decodable, Sendable {
  let baseURL: URL
  let into: String?
  let headers: [String: String]?
  /// The time between two runs of `--watch`, in seconds.
  let interval: Double?
  let rateLimit: RateLimit?
  let listings: [Listing]

  private enum CodingKeys: String, CodingKey {
    case into, headers, interval, listings
    case baseURL = "base_url"
    case rateLimit = "rate_limit"
  }

  /// The maximum number of requests that start within a number of seconds.
  struct RateLimit: Decodable, Sendable {
    let requests: Int
    let seconds: Double
  }

  /// A listing of the API and its table.
  struct Listing: Decodable, Sendable {
    let name: String
    let path: String?
    let partitions: [String: String]?
    let query: [String: JSON]?
    let table: String
    let keys: [String]?
    let items: String?
    let pages: Pages?
    let cursor: Cursor?
    let missing: Missing?
    let tombstone: Tombstone?
    /// The rules for updating a stored row with a received one, by the names of the columns.
    let rules: [String: Rule]?
    /// The column that determines which row is newer, for columns without a rule.
    let newestBy: String?

    private enum CodingKeys: String, CodingKey {
      case name, path, partitions, query, table, keys, items, pages, cursor, missing, tombstone, rules
      case newestBy = "newest_by"
    }
  }

  struct Pages: Decodable, Sendable {
    enum Kind: String, Decodable, Sendable {
      case link, cursor, page, offset
      case nextURL = "next_url"
    }

    let by: Kind
    let parameter: String?
    let path: String?
    /// True if the listing is complete even if no page has the path.
    let optional: Bool?
    let first: Int?
  }

  struct Cursor: Decodable, Sendable {
    let field: String?
    let parameter: String?
    let overlap: Int?
    let entityTag: Bool?

    private enum CodingKeys: String, CodingKey {
      case field, parameter, overlap
      case entityTag = "entity_tag"
    }
  }

  enum Missing: Sendable {
    case kept, deleted
    /// Rows are deleted if each of these columns has one of its values.
    case deletedWhere([String: [JSON]])
  }

  enum Rule: Sendable {
    case replace, keep, merge
    case newestBy(String)
  }

  struct Tombstone: Decodable, Sendable {
    let field: String
    let equals: JSON?
  }
}

extension PullFile {
  /// Reads the file.
  ///
  /// - Throws: `JSON.Diagnosis` with all departures from the file's schema.
  static func read(_ bytes: [UInt8], name: String) throws -> PullFile {
    let document: JSON
    do throws(JSON.SyntaxError) {
      document = try JSON(parsing: bytes)
    } catch {
      throw JSON.Diagnosis(error, in: Data(bytes), source: name)
    }
    let findings = try JSONSchema(compiling: JSON(parsing: PullFileSchema.text)).check(document)
    guard findings.isMatch else {
      throw JSON.Diagnosis(findings.faults.filter { !$0.isNote }, in: SourceText(bytes), source: name)
    }
    let file = try JSON.Decoder().decode(PullFile.self, from: document)
    try file.check()
    return file
  }

  /// Checks what the schema cannot express: the names of listings are unique, a listing that deletes missing rows shares its table with no
  /// other listing, column rules match the keys, and names of tables have no reserved prefix.
  private func check() throws(UsageError) {
    var names: Set<String> = []
    let tables = Dictionary(grouping: listings) { $0.table.lowercased() }
    for listing in listings {
      if case .deleted = listing.missing, let shared = tables[listing.table.lowercased()], shared.count > 1 {
        throw UsageError(
          """
          the table \(listing.table.quotedExcerpt) has the rows of \(shared.count) listings, and \(listing.name.quotedExcerpt) would \
          delete those of the others: make them partitions of one listing, or use "deleted_where"
          """)
      }
      try listing.checkRules()
      if !names.insert(listing.name).inserted {
        throw UsageError("two listings are named \(listing.name.quotedExcerpt)")
      }
      for prefix in ["anvil_", "sqlite_", "pg_"] where listing.table.lowercased().hasPrefix(prefix) {
        throw UsageError(
          "the table \(listing.table.quotedExcerpt): names that begin with \(prefix) are reserved")
      }
    }
  }
}
