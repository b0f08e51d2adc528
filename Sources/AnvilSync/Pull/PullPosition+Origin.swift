internal import AnvilClient

/// The table and the request that a position belongs to.
extension PullPosition {
  /// Returns the reason why the position does not belong to the plan's listing, or does not stand for its rows; `nil` if it does.
  ///
  /// Positions of programs that did not store the table and the request belong to any listing of their name.
  func difference(from plan: PullPlan) -> String? {
    if let loss = state.loss { return loss }
    if let entity, entity != plan.rows.entity { return "the table was \(entity) before" }
    if let request, let digest = plan.requestDigest(of: partition), request != digest {
      return "the request has changed"
    }
    return nil
  }

  /// Records the table and the request of the plan.
  mutating func adopt(_ plan: PullPlan) {
    entity = plan.rows.entity
    request = plan.requestDigest(of: partition) ?? request
  }

  /// Discards the progress. The version stays, so that a page of another run is not stored.
  mutating func reset() {
    state = State()
    round = 0
    (entity, request) = (nil, nil)
  }
}

extension PullPlan {
  /// Returns a digest of everything that decides which rows a partition's listing has.
  fileprivate func requestDigest(of partition: String) -> String? {
    var texts = ["\(items)"]
    if case .field(let path, let parameter, _) = cursor.rule { texts += ["\(path)", parameter] }
    return partitions[partition]?.digest(with: texts)
  }
}
