/// Recorded changes.
extension StoreTransaction {
  var changeLog: ChangeLog { ChangeLog(connection: connection) }

  /// Returns the changes to the rows of the model's entity after `position`, at most `limit` of them.
  ///
  ///     try await store.perform { transaction in
  ///       let position = try transaction.fetch(Progress.self, key: "users")?.position ?? start
  ///       let changes = try transaction.changes(of: User.self, after: position, limit: 100)
  ///       …
  ///       if let last = changes.last { try transaction.save(Progress(reader: "users", position: last.position)) }
  ///     }
  ///
  /// A reader that stores the position of the last change in the same transaction as the results of its work processes each change exactly
  /// once. Changes of this transaction are not returned on PostgreSQL.
  ///
  /// - Throws: The same errors as ``Store/changes(of:after:)``.
  public func changes<Model: ManagedDecodable & Codable>(
    of type: Model.Type, after position: StorePosition, limit: Int
  ) throws -> [StoreChange<Model>] where Model.Context == StoreTransaction {
    try requireUsable()
    var (changes, position, isAtEnd) = ([StoreChange<Model>](), position, false)
    while changes.count < limit, !isAtEnd {
      let page = try self.page(of: type, after: position, limit: limit - changes.count)
      changes += page.changes
      (position, isAtEnd) = (page.end, page.isAtEnd)
    }
    return changes
  }

  struct ChangePage<Model: StorableModel> {
    var changes: [StoreChange<Model>] = []
    var end: StorePosition
    var isAtEnd: Bool
  }

  func page<Model: StorableModel>(
    of type: Model.Type, after position: StorePosition, limit: Int
  ) throws -> ChangePage<Model> {
    try flush()
    let log = changeLog
    let recorded = try attempt {
      try log.changes(of: Model.entityName, after: position.rawValue, limit: limit)
    }
    let end = StorePosition(rawValue: recorded.end)
    guard !recorded.changes.isEmpty, let schema = try schema(of: Model.entityName) else {
      return ChangePage(end: end, isAtEnd: recorded.isAtEnd)
    }
    let changes = try withReferences {
      try bindings.with(type) { binding in
        let (coder, layout) = (binding.coder(of: type), binding.layout(of: schema))
        func model(_ text: String?) throws -> Model? {
          try text.map { text in
            try coder.read(StoredRow(layout: layout, values: try log.values(of: text, schema)), resolving: self)
          }
        }
        return try recorded.changes.compactMap { change in
          try StoreChange(from: model(change.old), to: model(change.new), StorePosition(rawValue: change.position))
        }
      }
    }
    return ChangePage(changes: changes, end: end, isAtEnd: recorded.isAtEnd)
  }

  func recordChanges<Model: ManagedDecodable>(of type: Model.Type, keepingFor retention: Duration) throws {
    try requireWriting()
    try flush()
    let schema = try schema(of: Model.entityName)
    try attempt { try changeLog.start(Model.entityName, schema, keepingFor: max(retention.components.seconds, 0)) }
  }

  func stopRecordingChanges<Model: ManagedDecodable>(of type: Model.Type) throws {
    try requireWriting()
    try flush()
    let schema = try schema(of: Model.entityName)
    try attempt { try changeLog.stop(Model.entityName, schema) }
  }

  func presentPosition() throws -> StorePosition {
    StorePosition(rawValue: try attempt { try changeLog.presentPosition() })
  }
}

extension StoreTransaction.ChangePage: Sendable where Model: Sendable {}

extension StoreChange {
  fileprivate init?(from old: Model?, to new: Model?, _ position: StorePosition) {
    switch (old, new) {
    case (nil, let new?): kind = .inserted(new)
    case (let old?, let new?): kind = .updated(from: old, to: new)
    case (let old?, nil): kind = .deleted(old)
    case (nil, nil): return nil
    }
    self.position = position
  }
}
