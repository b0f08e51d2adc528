internal import AnvilClient

/// The table and the request that a position belongs to.
extension PullPosition {
  /// Returns the reason why the position cannot be used for the plan's listing: it belongs to another listing, or its rows were lost.
  /// Returns `nil` if it can be used.
  ///
  /// A position in which an earlier version of the program did not store the table and the request belongs to any listing with its name.
  func difference(from plan: PullPlan) -> String? {
    if let loss = state.loss { return loss }
    if let entity, entity != plan.rows.entity { return "the table was \(entity) before" }
    return isOfAnotherRequest(than: plan) ? "the request has changed" : nil
  }

  /// Returns whether the position was stored for another request. A request with a date in its query is the same as before the text of the
  /// date changed.
  private func isOfAnotherRequest(than plan: PullPlan) -> Bool {
    guard let request, let digest = plan.requestDigest(of: partition) else { return false }
    return request != digest && request != plan.requestDigest(of: partition, dates: .described)
  }

  /// Records the table and the request of the plan.
  mutating func adopt(_ plan: PullPlan) {
    entity = plan.rows.entity
    request = plan.requestDigest(of: partition) ?? request
  }

  /// Discards the progress. The version is kept and increases later, so that another run cannot store a page.
  mutating func reset() {
    state = State()
    round = 0
    (entity, request) = (nil, nil)
  }
}

extension PullPlan {
  /// Returns a digest of the request and of all settings that determine the rows in a partition's listing.
  fileprivate func requestDigest(of partition: String, dates: GatewayRequest.DigestDates = .sent) -> String? {
    var texts = [items.identity]
    if case .field(let path, let parameter, _) = cursor.rule { texts += [path.identity, parameter] }
    return partitions[partition]?.digest(with: texts, dates: dates)
  }
}
