internal import AnvilBase
internal import AnvilClient
internal import AnvilHTTP
internal import AnvilJSON
internal import AnvilStore
internal import Synchronization

struct PullRun {
  private let plan: PullPlan
  private let context: Store
  private let lease: Duration?
  private let onPage: @Sendable (PullReport) -> Void
  private var report = PullReport()
  private var detector: DriftDetector
  private let damagedRows = DamagedRows()
  private var hasRows = false
  /// Whether a row of this run or of an earlier one had the tombstone's field.
  private var knowsTombstone = false

  init(
    _ plan: PullPlan, in context: Store, lease: Duration?, onPage: @escaping @Sendable (PullReport) -> Void
  ) {
    self.plan = plan
    self.lease = lease
    self.context = context
    self.onPage = onPage
    detector = DriftDetector(plan)
  }

  mutating func run() async throws -> PullReport {
    try plan.check(lease: lease)
    try await context.restoreTables(of: plan, addsColumns: false)
    if let lease {
      try await listShared(leases: lease)
    } else {
      let positions = try await begin().positions
      for name in plan.partitionNames {
        if let position = positions[name], !position.state.isListed { try await list(from: position) }
      }
    }
    noteMissingTombstone()
    return report
  }

  /// Begins a round, or continues an interrupted one, and reads the positions of all partitions. With `joinsOthers`, joins a round that
  /// another run has begun in the meantime.
  private mutating func begin(joinsOthers: Bool = false) async throws -> ListingStart {
    let plan = plan
    let start = try await context.perform { transaction in
      try plan.checkTable(in: transaction)
      return try transaction.beginListing(plan, joinsOthers: joinsOthers)
    }
    report.resetReason = start.resetReason
    noteTombstone(at: start.round.tombstone)
    return start
  }

  /// Leases and lists partitions until the listings of all partitions are complete. Other runs may list partitions at the same time.
  private mutating func listShared(leases lease: Duration) async throws {
    let plan = plan
    // Most runs join a round that another run has begun, and neither lock it nor read the positions of all partitions.
    let open = try await context.read { transaction in
      try plan.checkTable(in: transaction)
      return try transaction.openRound(of: plan)
    }
    var round: PullRound
    if let open { round = open } else { round = try await begin(joinsOthers: true).round }
    noteTombstone(at: round.tombstone)
    guard try await listShared(PullLeases(plan, of: lease, round: round.round, in: context)) != nil else { return }
    // A position was changed by another plan since the round was begun.
    round = try await begin().round
    if let error = try await listShared(PullLeases(plan, of: lease, round: round.round, in: context)) { throw error }
  }

  /// Leases and lists partitions of a round until the listings of all partitions are complete. Returns an error if a partition has a position of
  /// another table or request.
  private mutating func listShared(_ leases: PullLeases) async throws -> PullError? {
    while true {
      switch try await leases.claim() {
      case .done: return nil
      case .wait: try await Task.sleep(for: leases.pause)
      case .changed(let partition, let reason):
        return PullError(
          .overtaken, pull: plan.name, partition: partition,
          reason: "another run of the pull, with another table or request, has started: \(reason); this run ends")
      case .partition(let position):
        do {
          try await leases.keep(position.partition) { try await list(from: position) }
        } catch let error as PullError where error.code == .overtaken {
          // The lease has expired, and another run has continued the partition.
        }
      }
    }
  }

  /// - Parameter path: The path of the tombstone's field, if a row had it.
  private mutating func noteTombstone(at path: String?) {
    knowsTombstone = knowsTombstone || path != nil && path == plan.tombstone?.path.identity
  }

  /// Requests and stores the pages of a partition. If the server rejects the position of a page, the listing starts
  /// again, but only once.
  private mutating func list(from start: PullPosition) async throws {
    guard let request = plan.partitions[start.partition] else { return }
    if start.state.pages > 0 { report.resumedCount += 1 }
    noteTombstone(at: start.state.tombstone)
    var position = start
    var firstPages = start.state.pages
    var hasRestarted = false
    while !position.state.isListed {
      do {
        try await storePages(of: request, at: &position)
      } catch let failure as TransportFailure
        where position.state.pages > firstPages && !plan.pagination.statesNextPage
        && failure.isAfterLastPage(position.state.next)
      {
        try await end(at: &position)
      } catch let failure as TransportFailure where failure.rejectsPosition && position.state.pages > 0 && !hasRestarted
      {
        hasRestarted = true
        firstPages = 0
        var restarted = position
        restarted.state.restart()
        position = try await save(restarted, after: position).position
        report.restartedCount += 1
      }
    }
  }

  /// Ends the listing. The page that was stored last becomes its last page.
  private mutating func end(at position: inout PullPosition) async throws {
    var ended = position
    ended.state.isListed = true
    ended.state.entityTag = ended.state.firstEntityTag
    let outcome = try await save(ended, after: position)
    position = outcome.position
    note(outcome)
  }

  private mutating func storePages(of request: GatewayRequest, at position: inout PullPosition) async throws {
    var request = request
    if case .field(_, let parameter, _) = plan.cursor?.rule, let since = position.state.since {
      request.query[parameter] = since.text
    }
    if case .entityTag = plan.cursor?.rule, position.state.pages == 0, let tag = position.state.entityTag {
      guard try await storeFirstPage(of: request, unlike: tag, at: &position) else { return }
    }
    guard !position.state.isListed else { return }
    var pages = pages(
      of: request, from: position.state.next, fingerprints: position.state.fingerprints ?? PageFingerprints()
    ).makeAsyncIterator()
    while let page = try await pages.next() {
      position = try await store(page, of: request, at: position)
    }
  }

  private func pages(
    of request: GatewayRequest, from position: PagePosition = .start, limit: Int = .max,
    fingerprints: PageFingerprints = PageFingerprints()
  ) -> Pages<JSON, any Error> {
    let (damagedRows, items) = (damagedRows, plan.items)
    return request.receivedPages(
      by: plan.pagination, from: position, pageLimit: limit, fingerprints: fingerprints,
      items: { page in
        guard let list = try? items.list(in: page), list.kind == .array else { return nil }
        return (list.count, { HashFunction.sha256.hexadecimal(of: list.serializedData()) })
      }, recover: { damagedRows.recover($0, of: request, items: items) })
  }

  /// Requests the first page on the condition that it no longer has this entity tag. Stores the page, or returns `false` if the page is
  /// unchanged.
  private mutating func storeFirstPage(
    of request: GatewayRequest, unlike entityTag: String, at position: inout PullPosition
  ) async throws -> Bool {
    var conditional = request
    conditional.headers[.ifNoneMatch] = HTTP.HeaderValue(rawValue: entityTag)
    var pages = pages(of: conditional, limit: 1).makeAsyncIterator()
    do {
      if let page = try await pages.next() { position = try await store(page, of: request, at: position) }
      return true
    } catch let failure as TransportFailure where failure.response?.code == 304 {
      var unmodified = position
      unmodified.state.isListed = true
      let outcome = try await save(unmodified, after: position)
      position = outcome.position
      report.notModifiedCount += 1
      note(outcome)
      return false
    }
  }

  private mutating func store(
    _ page: Pages<JSON, any Error>.Page, of request: GatewayRequest, at position: PullPosition
  ) async throws -> PullPosition {
    let list = try list(in: page.value, hasNext: page.next != nil, at: position)
    let endDoubt = endDoubt(of: page, at: position)
    // A page is requested once more if its link to the next page could not be followed. Rows with keys can be stored again.
    let takenCount = position.state.next.itemsTaken
    let firstItem = plan.rows.haveKeys ? 0 : takenCount
    let items = Array(list.elements.dropFirst(firstItem))
    let damaged = damagedRows.take(from: firstItem)
    let (deleted, haveTombstone) = try deletedItems(items, except: damaged, at: position)
    hasRows = hasRows || !items.isEmpty
    var next = position
    if haveTombstone { next.state.tombstone = plan.tombstone?.path.identity }
    if position.state.pages == 0 {
      next.state.firstEntityTag = page.response.headers[.eTag]?.rawValue
      next.state.listedEntity = plan.missing.deletesRows && position.isComplete ? plan.rows.entity : nil
      next.state.hasAllKeys = false
    }
    if takenCount == 0 { next.state.pages += 1 }
    if page.linkError != nil {
      next.state.next = PagePosition(page.position.page, itemsTaken: max(list.count, takenCount))
    } else {
      next.state.next = page.next ?? .start
      next.state.isListed = page.next == nil
      next.state.uncertainEnd = endDoubt
      if let fingerprint = page.fingerprint {
        var fingerprints = next.state.fingerprints ?? PageFingerprints()
        _ = fingerprints.insert(fingerprint)
        next.state.fingerprints = fingerprints
      }
    }
    if next.state.isListed { next.state.entityTag = endDoubt == nil ? next.state.firstEntityTag : nil }
    next.state.highest = try highest(
      of: items, except: Set(damaged.keys), deleted: deleted, now: page.response.time, at: position)
    let format = request.responseFormat
    let outcome = try await PageCommit(
      plan: plan, format: format, items: items, damaged: damaged, deleted: deleted, position: position, next: next
    ).run(in: context)
    report.pages += 1
    knowsTombstone = knowsTombstone || haveTombstone
    report.uncertainEnd = report.uncertainEnd ?? endDoubt
    for (index, item) in items.enumerated() where !plan.rows.storeAllKeys && damaged[index] == nil {
      for path in detector.unknownKeys(in: item, as: format) {
        report.add(PullReport.Drift(path: path, kind: .unknownKey, rowCount: 1))
      }
    }
    note(outcome)
    onPage(report)
    return outcome.position
  }

  private func save(_ next: PullPosition, after position: PullPosition) async throws -> PageCommit.Outcome {
    try await PageCommit(
      plan: plan, format: JSON.Decoder(), items: [], position: position, next: next
    ).run(in: context)
  }

  private mutating func note(_ outcome: PageCommit.Outcome) {
    report.counts += outcome.counts
    for row in outcome.skipped { report.add(row) }
    for drift in outcome.drift { report.add(drift) }
    guard let missing = outcome.missingRows else { return }
    report.missingRows = missing.outcome
    report.uncertainEnd = report.uncertainEnd ?? missing.uncertainEnd
    report.otherPartitionCount = missing.otherPartitionCount
    report.incompletePartition = missing.otherPartition
  }

  /// Returns the reason why there may be a page after `page`, although the pagination has found none; `nil` if the end is certain.
  ///
  /// A later page whose list is null is a certain end only if it states that it is the last one, or if only the numbers tell where the pages
  /// end: a server that has failed may write null, too. A page without content states nothing. It is a certain end only of numbered pages that do not state whether there is a next page, because
  /// some servers have no content after the last page. A first page without content may be a failure of the server, so it removes no rows.
  private func endDoubt(of page: Pages<JSON, any Error>.Page, at position: PullPosition) -> String? {
    guard page.next == nil, page.linkError == nil else { return page.endDoubt }
    // A page that is requested once more is already counted.
    let number = position.state.pages + (position.state.next.itemsTaken == 0 ? 1 : 0)
    guard page.value.isNull else {
      guard number > 1, !page.statesEnd, (try? plan.items.list(in: page.value))?.isNull == true else {
        return page.endDoubt
      }
      return "page \(number) has null at \(plan.items.words), and names no next page"
    }
    let isDoubtful =
      switch page.position.page {
      case .url, .cursor: true
      case .number where plan.pagination.statesNextPage: true
      case .number where position.state.pages > 0: false
      case .number, .start: page.endDoubt != nil || plan.missing.deletesRows && position.isComplete
      }
    guard isDoubtful else { return nil }
    return "page \(number) has no content"
  }

  /// Returns the list of rows in a page. It is empty if the page or the list is null, as after a response without content. Some servers leave an
  /// empty list out, so it is also empty if the list is missing from a page that names the next page.
  private func list(in page: JSON, hasNext: Bool, at position: PullPosition) throws(PullError) -> JSON {
    do throws(MisleadingPath) {
      switch try plan.items.list(in: page) {
      case let list? where list.kind == .array: return list
      case let list? where list.isNull: return []
      case nil where page.isNull || hasNext: return []
      default: break
      }
    } catch {
      throw self.error(.pathMismatch, at: position, error.reason)
    }
    throw error(.noList, at: position, "there is no list at \(plan.items.words)")
  }

  private func deletedItems(
    _ items: [JSON], except damaged: [Int: ItemFailure], at position: PullPosition
  ) throws(PullError) -> (deleted: Set<Int>, haveField: Bool) {
    var deleted: Set<Int> = []
    var haveField = false
    guard let tombstone = plan.tombstone else { return (deleted, haveField) }
    for (index, item) in items.enumerated() where damaged[index] == nil && item.kind == .object {
      do throws(MisleadingPath) {
        let state = try tombstone.state(of: item)
        if state.isDeleted { deleted.insert(index) }
        haveField = haveField || state.hasField
      } catch {
        throw self.error(.pathMismatch, at: position, "[\(index)]: \(error.reason)")
      }
    }
    return (deleted, haveField)
  }

  /// Adds a note to the report if the run has received rows, but no row of the pull ever had the tombstone's field.
  private mutating func noteMissingTombstone() {
    guard let tombstone = plan.tombstone, hasRows, !knowsTombstone else { return }
    report.missingTombstone = "no row has a value at \(tombstone.path)"
  }

  /// Returns the highest value of the cursor's field in the items and on earlier pages. Rows without a value, and with a date in the future,
  /// are counted.
  ///
  /// A row without a value is not an error, because it would block the listing for ever. If all rows of the first page lack the field, and no
  /// value was received before, the path is probably wrong.
  private mutating func highest(
    of items: [JSON], except damaged: Set<Int>, deleted: Set<Int>, now: Date, at position: PullPosition
  ) throws(PullError) -> CursorValue? {
    guard case .field(let path, _, let overlap) = plan.cursor?.rule else { return nil }
    var highest = position.state.highest
    var (missing, present) = (0, 0)
    for (index, item) in items.enumerated() where item.kind == .object && !damaged.contains(index) {
      let place = path.place(inRow: index)
      let found: JSON?
      do throws(MisleadingPath) {
        found = try path.value(in: item)
      } catch {
        throw self.error(.pathMismatch, at: position, "[\(index)]: \(error.reason)")
      }
      if found != nil { present += 1 }
      guard let json = found, !json.isNull, json.string != "" else {
        if !deleted.contains(index) { missing += 1 }
        continue
      }
      guard let value = CursorValue(json) else {
        throw error(
          .cursorNotComparable, at: position, "\(place) is of type \(json.kind), but a cursor requires numbers or text")
      }
      if value.isInFuture(at: now) {
        report.futureCursorCount += 1
        continue
      }
      guard let last = highest else {
        highest = value
        continue
      }
      guard let isGreater = value.isGreater(than: last) else {
        throw error(
          .cursorNotComparable, at: position,
          "\(place) cannot be compared with the values before it (type \(json.kind))")
      }
      if isGreater { highest = value }
    }
    if missing > 0, present == 0, position.state.pages == 0, highest == nil {
      throw error(.cursorMissing, at: position, "no row has a value at \(path), but the cursor requires it")
    }
    report.rowsWithoutCursor += missing
    guard overlap == 0 || highest.map({ $0.goingBack(by: overlap) != nil }) ?? true else {
      throw error(.cursorNotComparable, at: position, "\(path) is text, but an overlap requires numbers or dates")
    }
    return highest
  }

  private func error(_ code: PullError.Code, at position: PullPosition, _ reason: String) -> PullError {
    PullError(
      code, pull: plan.name, partition: position.partition, page: position.state.pages + 1, reason: reason)
  }
}

extension HTTP.Response {
  /// The time of the response by the server's clock, or by this machine's if that is later.
  fileprivate var time: Date {
    let now = Date()
    let today = HTTPDate(seconds: Int(now.timeIntervalSince1970))
    guard let stated = headers[.date].flatMap({ HTTPDate(anyForm: $0.rawValue, now: today) }) else { return now }
    return max(now, Date(timeIntervalSince1970: Double(stated.seconds)))
  }
}

extension TransportFailure {
  /// A Boolean value that indicates whether the position of a page may be invalid. Examples are an expired page token, and a URL of another
  /// server.
  fileprivate var rejectsPosition: Bool {
    response.map { [400, 404, 410].contains($0.code) } ?? (error.code == .invalidRequest)
  }

  /// Returns `true` if the response may mean that there is no page at `position`, because the page before it was the last one.
  ///
  /// Only page numbers and offsets can be too high, unless the page before has stated that there is a next page: links and cursors come from the server, which has pages for them. Some servers treat an
  /// offset as a range of the resource and return 416. A 410 is not accepted, because it means that the resource was removed. Source: RFC
  /// 9110 §15.5.
  fileprivate func isAfterLastPage(_ position: PagePosition) -> Bool {
    guard case .number = position.page else { return false }
    return response.map { [404, 416].contains($0.code) } ?? false
  }
}

extension PullPath {
  /// Returns the path of a value in a row of the page, such as `[3].updated_at`.
  fileprivate func place(inRow index: Int) -> String {
    let path = "\(self)"
    return "[\(index)]" + (path.hasPrefix("[") ? path : path.hasPrefix("$") ? ", \(path)" : ".\(path)")
  }
}

/// The rows of the last page that contain an unpaired surrogate, with the reasons for skipping them.
///
/// Such a page is not JSON, although most of its rows can be read.
final class DamagedRows: Sendable {
  private let failures = Mutex<[Int: ItemFailure]>([:])

  /// Returns the page of a response that is not valid JSON because of such rows, but has no other errors. Returns `nil` for other
  /// responses.
  func recover(_ failure: DecodingFailure, of request: GatewayRequest, items: any PullPath) -> JSON? {
    guard case .decodingError = failure, let data = failure.response.body.data,
      let decoder = request.responseFormat as? JSON.Decoder,
      let text = JSON.repairing(data, options: decoder.parsingOptions),
      // The rows of other paths have no common beginning.
      items.isSingular, let list = try? items.list(in: text.value)
    else { return nil }
    let beginning = list.path.steps
    var damaged: [Int: ItemFailure] = [:]
    for replacement in text.replacements {
      let steps = replacement.path.steps
      let start = beginning.count
      // Other parts of the page may have the position of the next one.
      guard steps.starts(with: beginning), steps.count > start, case .index(let row) = steps[start] else {
        return nil
      }
      guard damaged[row] == nil else { continue }
      damaged[row] = ItemFailure(
        at: JSON.Path(steps: Array(steps[(start + 1)...])),
        "the text has an unpaired surrogate (\(replacement.escape))")
    }
    failures.withLock { $0 = damaged }
    return text.value
  }

  /// Removes and returns the damaged rows of the last received page. Rows before the row with the number `first` are left out, and the row
  /// numbers are relative to it.
  func take(from first: Int) -> [Int: ItemFailure] {
    let damaged = failures.withLock { failures in
      defer { failures = [:] }
      return failures
    }
    return Dictionary(uniqueKeysWithValues: damaged.filter { $0.key >= first }.map { ($0.key - first, $0.value) })
  }
}
