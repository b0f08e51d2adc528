internal import AnvilBase
package import AnvilStore

extension PostgresConnection {
  package var changeRecorder: any ChangeRecorder { PostgresChangeRecorder(connection: self) }
}

/// Records changes with one trigger function for all tables.
///
/// Transactions may commit in a different order than the numbers of their changes. A reader that relied on the numbers would lose changes.
/// Pages are therefore based on snapshots: a page contains the changes that are visible in its snapshot and were not visible in the
/// previous one. A later change to a row is visible only together with the earlier changes to it. The changes to one row are therefore in
/// the correct order: by number within a page, and by snapshot between pages.
///
/// A position is a snapshot. In a page that was not read to its end, it consists of the previous snapshot, the snapshot of the page and the
/// number of the last change. Source: postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-SNAPSHOT.
private struct PostgresChangeRecorder: ChangeRecorder {
  let connection: PostgresConnection

  var recordsKnownColumns: Bool { false }
  var rowFormat: RecordedRowFormat { .json }

  func createTables() throws(StoreError) {
    try connection.run(
      """
      CREATE TABLE anvil_changes (position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \
      entity TEXT COLLATE "C" NOT NULL, kind TEXT NOT NULL, old TEXT, new TEXT, made BIGINT NOT NULL, \
      xact BIGINT NOT NULL DEFAULT pg_catalog.txid_current(), \
      floor BIGINT NOT NULL DEFAULT pg_catalog.txid_snapshot_xmin(pg_catalog.txid_current_snapshot()))
      """)
    try connection.run("CREATE INDEX ON anvil_changes (entity, xact)")
    try connection.run("CREATE INDEX ON anvil_changes (entity, made, xact)")
    try connection.run("CREATE INDEX ON anvil_changes (entity) WHERE kind = '\(ChangeLog.beginning)'")
    try connection.run(
      #"CREATE TABLE anvil_feeds (entity TEXT COLLATE "C" NOT NULL PRIMARY KEY, retention BIGINT NOT NULL)"#)
    try createFunctions()
  }

  /// Creates the functions of the triggers.
  ///
  /// The recording function runs with the rights of its owner, so that other users need no rights for the table. Its settings write all
  /// digits of numbers. It removes the changes of all transactions that had ended when the last expired change was made. A snapshot in
  /// which the last expired change is visible contains all removed changes. The new row that marks the beginning of the recording is
  /// visible in the same snapshots as that change.
  private func createFunctions() throws(StoreError) {
    // pg_temp is named last: otherwise the temporary tables of a user who writes a row would be found first.
    let schema =
      try connection.value(of: "SELECT pg_catalog.quote_ident(pg_catalog.current_schema())")?.text ?? "public"
    try connection.run(
      """
      CREATE OR REPLACE FUNCTION anvil_record() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER \
      SET search_path = \(schema), pg_temp SET extra_float_digits = 1 SET bytea_output = 'hex' AS $body$
      DECLARE
        o text; n text; number bigint; feed record; last_xact bigint; first_kept bigint;
        seconds bigint := extract(epoch FROM pg_catalog.clock_timestamp());
      BEGIN
        IF TG_OP <> 'INSERT' THEN o := pg_catalog.row_to_json(OLD); END IF;
        IF TG_OP <> 'DELETE' THEN n := pg_catalog.row_to_json(NEW); END IF;
        IF o IS NOT DISTINCT FROM n THEN RETURN NULL; END IF;
        PERFORM pg_catalog.pg_notify('anvil_changes', pg_catalog.concat_ws(
          pg_catalog.chr(10), 'trigger', pg_catalog.md5(TG_TABLE_SCHEMA::text), TG_TABLE_NAME));
        INSERT INTO anvil_changes (entity, kind, old, new, made)
          VALUES (TG_TABLE_NAME, pg_catalog.lower(TG_OP), o, n, seconds) RETURNING position INTO number;
        IF number % 1000 = 0 THEN
          FOR feed IN SELECT f.entity, f.retention FROM anvil_feeds AS f LOOP
            SELECT e.xact, e.floor INTO last_xact, first_kept FROM anvil_changes AS e
              WHERE e.entity = feed.entity AND e.kind <> '\(ChangeLog.beginning)' AND e.made < seconds - feed.retention
              ORDER BY e.made DESC, e.xact DESC LIMIT 1;
            DELETE FROM anvil_changes WHERE position IN (
              SELECT c.position FROM anvil_changes AS c WHERE c.entity = feed.entity AND c.xact < first_kept
              FOR UPDATE SKIP LOCKED);
            IF FOUND THEN
              INSERT INTO anvil_changes (entity, kind, made, xact)
                VALUES (feed.entity, '\(ChangeLog.beginning)', 0, last_xact);
            END IF;
          END LOOP;
        END IF;
        RETURN NULL;
      END $body$
      """)
  }

  func createTriggers(onTable name: String, columns: [String]) throws(StoreError) {
    try connection.run(
      """
      CREATE TRIGGER anvil_record AFTER INSERT OR UPDATE OR DELETE ON \(try connection.quoted(name)) \
      FOR EACH ROW EXECUTE FUNCTION anvil_record()
      """)
  }

  func hasAllTriggers(onTable placeholder: String) -> String {
    """
    NOT EXISTS (SELECT 1 FROM pg_catalog.pg_class AS c \
    WHERE c.oid = pg_catalog.to_regclass(pg_catalog.quote_ident(\(placeholder))) AND NOT EXISTS (\
    SELECT 1 FROM pg_catalog.pg_trigger AS t WHERE t.tgrelid = c.oid AND t.tgname = 'anvil_record' AND t.tgenabled <> 'D'))
    """
  }

  /// The trigger records all columns that the table has when a row is changed.
  func recordsAllColumns(_ columns: [String], ofTable name: String) -> Bool { true }

  func dropTriggers(onTable name: String) throws(StoreError) {
    try connection.run("DROP TRIGGER IF EXISTS anvil_record ON \(try connection.quoted(name))")
  }

  /// Returns a snapshot in which this transaction is not visible, as it has not ended.
  ///
  /// The server leaves a transaction out of the snapshots that it takes. With a number below that of a transaction that was committed since
  /// then, it would count as visible, so its changes after the page would be lost for later pages, and those before the page would be in it.
  func presentPosition() throws(StoreError) -> String {
    let sql = """
      SELECT pg_catalog.concat(pg_catalog.txid_snapshot_xmin(s), ':', pg_catalog.txid_snapshot_xmax(s), ':', (\
      SELECT pg_catalog.string_agg(r.xid::text, ',' ORDER BY r.xid) FROM (\
      SELECT pg_catalog.txid_snapshot_xip(s) UNION SELECT pg_catalog.txid_current_if_assigned()) AS r (xid) \
      WHERE r.xid < pg_catalog.txid_snapshot_xmax(s))) FROM pg_catalog.txid_current_snapshot() AS s
      """
    return try connection.value(of: sql)?.text ?? ""
  }

  func changes(ofTable name: String, after position: String, limit: Int) throws -> RecordedChanges {
    let parts = position.split(separator: " ").map(String.init)
    guard parts.count == 1 || parts.count == 3, parts[0].utf8.contains(.colon),
      let number = parts.count == 3 ? Int64(parts[2]) : 0
    else {
      throw StoreError(
        code: .invalidValue,
        reason: "“\(position.prefix(40))” is not a position in the changes of a PostgreSQL database")
    }
    try requireChanges(ofTable: name, after: parts[0])
    let snapshot = parts.count == 3 ? parts[1] : try presentPosition()
    var page = RecordedChanges(changes: [], end: snapshot, isAtEnd: false)
    let sql = """
      SELECT position, old, new FROM anvil_changes WHERE entity = $1 \
      AND xact >= pg_catalog.txid_snapshot_xmin($2::text::txid_snapshot) \
      AND NOT pg_catalog.txid_visible_in_snapshot(xact, $2::text::txid_snapshot) \
      AND pg_catalog.txid_visible_in_snapshot(xact, $3::text::txid_snapshot) \
      AND position > $4 AND kind <> '\(ChangeLog.beginning)' ORDER BY position LIMIT $5
      """
    let values: [StoreValue] = [
      .text(name), .text(parts[0]), .text(snapshot), .integer(number), .integer(Int64(limit)),
    ]
    try connection.query(sql, values) { row in
      let position = "\(parts[0]) \(snapshot) \(try row.integer(at: 0) ?? number)"
      page.changes.append(.init(position: position, old: try row.text(at: 1), new: try row.text(at: 2)))
      return .goOn
    }
    if page.changes.count < limit {
      page.isAtEnd = parts.count == 1
      if let last = page.changes.indices.last { page.changes[last].position = snapshot }
    } else if let last = page.changes.last {
      page.end = last.position
    }
    return page
  }

  /// - Throws: ``StoreError/Code/changesExpired`` when changes that were not visible in the snapshot may have been removed.
  private func requireChanges(ofTable name: String, after snapshot: String) throws(StoreError) {
    let sql = """
      SELECT bool_and(pg_catalog.txid_visible_in_snapshot(xact, $2::text::txid_snapshot)) FROM anvil_changes \
      WHERE entity = $1 AND kind = '\(ChangeLog.beginning)'
      """
    guard try connection.value(of: sql, [.text(name), .text(snapshot)]) == .integer(1) else {
      throw StoreError(code: .changesExpired, reason: "the recorded changes of \(name) begin after the position")
    }
  }
}
