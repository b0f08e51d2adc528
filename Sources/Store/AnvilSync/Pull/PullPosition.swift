package import AnvilBase
package import AnvilClient
internal import AnvilJSON
package import AnvilStore

/// The position of one partition of a pull. It is a row of the table `anvil_pulls`.
package struct PullPosition: Codable, Hashable, Sendable, ManagedDecodable {
  package static var entityName: String { "anvil_pulls" }
  package static var matchKeys: [MatchKey]? { [.key(CodingKeys.pull), .key(CodingKeys.partition)] }

  static func isPart(of pull: String) -> StoreCondition<PullPosition> {
    StoredColumn<PullPosition, String>(CodingKeys.pull) == pull
  }

  package var pull: String
  package var partition: String
  /// A number that increases with each change. A page is stored only if the version has not changed since the run read it.
  package var version = 0
  package var round = 0
  package var state = State()
  package var updated = Date()
  /// The entity of the rows; `nil` if the position was stored before this was recorded.
  package var entity: String?
  /// The digest of the request for the first page; `nil` if the position was stored before this was recorded.
  package var request: String?

  /// The state of a listing, which is stored as JSON.
  package struct State: Codable, Hashable, Sendable {
    package var next = PagePosition.start
    package var pages = 0
    package var isListed = false
    /// The value of the cursor in the requests of this listing; `nil` if they request all rows.
    package var since: CursorValue?
    /// The highest value of the cursor's field so far.
    package var highest: CursorValue?
    /// The entity tag of the last complete listing.
    package var entityTag: String?
    /// The entity tag of the first page of this listing.
    package var firstEntityTag: String?
    /// The entity whose keys the partition's ``StoreListing`` has kept since the first page of the last listing with pages. `nil` if keys
    /// were not kept.
    package var listedEntity: String?
    /// True if the partition's ``StoreListing`` contains the keys of all rows of the last listing.
    package var hasAllKeys = false
    package var hasUnknownKey = false
    /// The rows that were skipped by this listing or an earlier one; `nil` if no row was skipped.
    package var skipped: SkippedRows?
    /// The hashes of pages of this listing, if the pages are numbered.
    package var fingerprints: PageFingerprints?
    /// The reason why the last listing may have lacked pages; `nil` if its end was certain.
    package var uncertainEnd: String?
    /// The path of the tombstone's field, if a row had it; `nil` if no row had one.
    package var tombstone: String?
    /// The part of the table that the database has lost since the listing began; `nil` if nothing was lost.
    package var loss: String?
  }

  /// Information about skipped rows, and the time when they were requested last.
  package struct SkippedRows: Codable, Hashable, Sendable {
    /// The value of the cursor in the requests of the first listing that skipped rows.
    var since: CursorValue?
    /// The beginning of the last listing that requested all skipped rows, or the time when the first row was skipped. In seconds since the
    /// beginning of 2001 on the database's clock.
    var requested: Double
    /// True if the current listing requests all skipped rows.
    var areRequested = true
    var areFound = true

    /// The time in seconds after which skipped rows are requested again.
    static let interval = 86_400.0
  }
}

extension PullPosition.State {
  mutating func restart() {
    next = .start
    pages = 0
    isListed = false
    firstEntityTag = nil
    uncertainEnd = nil
    fingerprints = nil
  }

  mutating func noteSkippedRow(at now: Double) {
    if skipped == nil { skipped = PullPosition.SkippedRows(since: since, requested: now) }
    skipped?.areFound = true
  }

  /// Discards the information about skipped rows if the last listing requested all of them and skipped none. Otherwise they are requested
  /// again after `SkippedRows.interval`.
  fileprivate mutating func repeatSkippedRows(at now: Double) {
    guard var rows = skipped else { return }
    if isListed, rows.areRequested, !rows.areFound {
      skipped = nil
      return
    }
    // A time in the future is that of a clock that was set back since.
    rows.areRequested = now < rows.requested || now - rows.requested >= PullPosition.SkippedRows.interval
    rows.areFound = false
    if rows.areRequested { rows.requested = now }
    skipped = rows
  }
}

extension PullPosition {
  /// Begins the listing with the number `round`. With a cursor on a field, it requests only rows that have changed since the highest value
  /// or, when skipped rows are due to be requested again, since the listing that skipped them first.
  ///
  /// - Parameter now: The time on the database's clock, in seconds since the beginning of 2001.
  mutating func begin(round: Int, by cursor: PullCursor?, at now: Double) {
    self.round = round
    // A listing that may have lacked rows does not advance the cursor.
    let advances = state.uncertainEnd == nil
    state.repeatSkippedRows(at: now)
    state.restart()
    state.hasUnknownKey = false
    let repeated = state.skipped?.areRequested == true ? state.skipped : nil
    let today = Date(timeIntervalSinceReferenceDate: now)
    if state.highest?.isInFuture(at: today) == true { state.highest = nil }
    switch cursor?.rule {
    case nil: (state.highest, state.since, state.entityTag, state.skipped) = (nil, nil, nil, nil)
    case .field(_, _, let overlap):
      state.since = repeated.map(\.since) ?? (advances ? state.highest?.goingBack(by: overlap) : state.since)
      if state.since?.isInFuture(at: today) == true { state.since = nil }
      state.entityTag = nil
    case .entityTag:
      (state.highest, state.since) = (nil, nil)
      if repeated != nil { state.entityTag = nil }
    }
  }

  package var cursorText: String? { state.highest?.text }

  /// A Boolean value that indicates whether this listing includes all rows.
  var isComplete: Bool { state.since == nil }

  /// The store's record of the keys in the partition's pages. It is begun again with the first page of each complete pull of the partition.
  var listing: StoreListing { StoreListing("pull \(pull.utf8.count) \(pull) \(partition)") }
}

/// A value of the cursor's field, as the server sent it.
package struct CursorValue: Codable, Hashable, Sendable {
  enum Kind: String, Codable {
    case number, text
  }

  let kind: Kind
  let text: String

  /// Creates a value. Returns `nil` if the JSON value is neither a number nor text.
  init?(_ json: JSON) {
    if let string = json.string {
      (kind, text) = (.text, string)
    } else if let number = json.numberText {
      (kind, text) = (.number, number)
    } else {
      return nil
    }
  }

  /// Returns `true` if this value is greater than `other`. Returns `nil` if the values cannot be compared.
  func isGreater(than other: CursorValue) -> Bool? {
    guard kind == other.kind else { return nil }
    if text == other.text { return false }
    if let own = Int128(text), let other = Int128(other.text) { return own > other }
    if kind == .number {
      guard let own = Double(text), let other = Double(other.text) else { return nil }
      return own > other
    }
    if let own = Self.date(text), let other = Self.date(other.text) { return own > other }
    return other.text.utf8.lexicographicallyPrecedes(text.utf8)
  }

  /// Returns `true` for a date that is more than a day after `now`. As a cursor, it would hide all changes until then. The margin is for
  /// clocks that differ, and for local times without a time zone.
  func isInFuture(at now: Date) -> Bool {
    guard kind == .text, let date = Self.date(text) ?? Self.localTime(text)?.date else { return false }
    return date.timeIntervalSince(now) > 86_400
  }

  /// Returns the value minus `amount`. For a date, `amount` is in seconds, and the result has the same format. Returns `nil` for text that
  /// is neither a whole number nor a date.
  func goingBack(by amount: Int) -> CursorValue? {
    guard amount != 0 else { return self }
    if let integer = Int128(text) {
      let (lower, overflows) = integer.subtractingReportingOverflow(Int128(amount))
      guard !overflows else { return nil }
      return CursorValue(kind: kind, text: kind == .text ? Self.text(of: lower, like: text) : "\(lower)")
    }
    if kind == .number { return Decimal(string: text).map { CursorValue(kind: kind, text: "\($0 - Decimal(amount))") } }
    return Self.dateText(text, minus: amount).map { CursorValue(kind: kind, text: $0) }
  }

  private init(kind: Kind, text: String) {
    (self.kind, self.text) = (kind, text)
  }

  /// Returns the digits of `lower` with the plus sign or the zeros before those of `text`, which a server may compare as text.
  private static func text(of lower: Int128, like text: String) -> String {
    if text.hasPrefix("+"), lower >= 0 { return "+\(lower)" }
    guard text.hasPrefix("0"), text.count > 1 else { return "\(lower)" }
    let digits = String(max(lower, 0))
    return String(repeating: "0", count: max(0, text.count - digits.count)) + digits
  }

  /// Returns the date minus `seconds`, rounded down to the precision of the text. The fraction and the time zone of the text are kept.
  private static func dateText(_ text: String, minus seconds: Int) -> String? {
    guard let (date, length) = localTime(text) else { return nil }
    let bytes = Array(text.utf8)
    var lower = Array(date.addingTimeInterval(-Double(seconds)).formatted(.iso8601).utf8)
    guard lower.count == "2000-01-01T00:00:00Z".utf8.count else { return nil }
    if length > 10 { lower[10] = bytes[10] }
    return String(decoding: lower.prefix(length) + bytes.dropFirst(length), as: UTF8.self)
  }

  /// Returns the date at the beginning of the text, which may lack the time or the seconds, and the length of that beginning. The time is read
  /// as one in UTC, whatever the time zone of the text is.
  private static func localTime(_ text: String) -> (date: Date, length: Int)? {
    let bytes = Array(text.utf8)
    let length = bytes.count > 18 && bytes[16] == .colon ? 19 : bytes.count > 15 && bytes[13] == .colon ? 16 : 10
    guard bytes.count >= length, length > 10 || bytes.count == 10, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    var whole = Array(bytes.prefix(length)) + Array("2000-01-01T00:00:00Z".utf8.dropFirst(length))
    whole[10] = UInt8(ascii: "T")
    return date(String(decoding: whole, as: UTF8.self)).map { ($0, length) }
  }

  private static func date(_ text: String) -> Date? {
    guard text.utf8.count >= 10, text.utf8.first.map({ (48...57).contains($0) }) == true else { return nil }
    return try? Date.decode(JSON(stringLiteral: text))
  }
}
