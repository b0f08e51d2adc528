internal import AnvilBase
internal import AnvilCodable
internal import AnvilStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A model with dates in columns and in JSON.
@StoredModel
struct Appointment: Equatable, Identifiable {
  struct Slot: Codable, Equatable { var begin: Date }

  @MatchKey var id: Int
  var due: Date?
  var slots: [Slot] = []
}

/// The rows of an earlier version: dates are seconds since 2001.
@StoredModel
private struct NumberedAppointment {
  static let entityName = "Appointment"
  @MatchKey var id: Int
  var due: Double?
}

@StoredModel
private struct Reading: Equatable {
  @MatchKey var time: Date
  var value: Int
}

extension StoreContract {
  /// 28 November 2026, 08:00:00.25 UTC.
  private static let morning = Date(timeIntervalSince1970: 1_795_852_800.25)

  private static func texts(_ store: Store) async throws -> [String?] {
    try await store.read { transaction in
      try transaction.fetch(
        String?.self,
        sql:
          "SELECT \(identifier: "due") FROM \(identifier: "Appointment") ORDER BY \(identifier: "due"), \(identifier: "id")"
      )
    }
  }

  /// Creates the table as an earlier version did.
  private static func saveNumbers(_ dates: [Date?], in store: Store) async throws {
    try await store.save(
      dates.enumerated().map { NumberedAppointment(id: $0, due: $1?.timeIntervalSinceReferenceDate) })
    try await store.perform { transaction in
      _ = try transaction.execute(
        "UPDATE anvil_attributes SET type = 'date' WHERE entity = 'Appointment' AND name = 'due'")
    }
  }

  private static func checkConditions(_ dates: [Date?], in store: Store) async throws {
    let limit = morning
    let conditions: [(StoreCondition<Appointment>, (Date?) -> Bool)] = [
      (\.due < limit, { $0.map { $0 < limit } ?? false }), (\.due >= limit, { $0.map { $0 >= limit } ?? false }),
      (\.due == limit, { $0 == limit }), (\.due != limit, { $0 != limit }), (\.due == nil, { $0 == nil }),
      (.isAmong(\.due, [limit, limit.addingTimeInterval(1)]), { $0 == limit || $0 == limit.addingTimeInterval(1) }),
    ]
    for (index, (condition, matches)) in conditions.enumerated() {
      let expected = dates.indices.filter { matches(dates[$0]) }
      let found = try await store.fetch(Appointment.self, where: condition).map(\.id)
      try expect(found == expected, "condition \(index): \(found) is not \(expected)")
    }
    let sorted = dates.indices.sorted { (dates[$0] ?? .distantPast, $0) < (dates[$1] ?? .distantPast, $1) }
    var streamed: [Int] = []
    for try await appointment in store.stream(Appointment.self, orderedBy: [.ascending(\.due)], pageSize: 2) {
      streamed.append(appointment.id)
    }
    try expect(streamed, is: sorted)
    try expect(try await store.fetch(Appointment.self).map(\.due), is: dates)
  }

  static let dateCases: [Case] = [
    Case("dates are columns that other programs can read and sort") { location in
      let store = try await Store(location)
      let dates: [Date?] = [
        morning, nil, Date(timeIntervalSince1970: -0.5), .distantFuture, morning.addingTimeInterval(1), .distantPast,
      ]
      try await store.save(dates.enumerated().map { Appointment(id: $0, due: $1) })
      let texts = try await texts(store).compactMap(\.self)
      try expect(
        texts,
        is: [
          "0000-12-30T00:00:00.000000000Z", "1969-12-31T23:59:59.500000000Z", "2026-11-28T08:00:00.250000000Z",
          "2026-11-28T08:00:01.250000000Z", "4001-01-01T00:00:00.000000000Z",
        ])
      try await checkConditions(dates, in: store)
      // Values of statements have the same form, and other texts of RFC 3339 are read.
      try await store.perform { transaction in
        _ = try transaction.execute(
          "UPDATE \(identifier: "Appointment") SET \(identifier: "due") = '2026-11-28T09:00:00.25+01:00' WHERE \(identifier: "due") = \(morning)"
        )
      }
      try expect(try await store.fetch(Appointment.self, key: 0)?.due, is: morning)
      do {
        try await store.save(Appointment(id: 9, due: Date(timeIntervalSince1970: 1e12)))
        throw Violation(description: "a date after the year 9999 was stored")
      } catch is EncodingError {}
    },
    Case("a date that is saved again is unchanged, whatever its fraction") { location in
      let store = try await Store(location)
      let dates = (0..<20).map { morning.addingTimeInterval(Double($0) * 1.000_123_456_7) }
      let models = dates.enumerated().map { Appointment(id: $0, due: $1, slots: [.init(begin: $1)]) }
      try expect(try await store.save(models), is: .init(inserted: 20))
      try expect(try await store.save(models), is: .init(unchanged: 20))
      let found = try await store.fetch(Appointment.self)
      try expect(
        found.allSatisfy { abs(($0.due ?? .distantPast).timeIntervalSince(dates[$0.id])) < 0.000_001 }, is: true)
      try expect(found.map(\.slots), is: models.map(\.slots))
      let list = try await store.decode(
        [Appointment].self, #"[{"id": 0, "due": 817545600.26, "slots": []}, {"id": 21, "due": null, "slots": []}]"#)
      try expect(list.changes, is: .init(inserted: 1, updated: 1))
      let again = try await store.decode(
        [Appointment].self, #"[{"id": 0, "due": 817545600.26}, {"id": 21}]"#)
      try expect(again.changes, is: .init(unchanged: 2))
    },
    Case("dates in JSON columns are text, and numbers of earlier versions are read") { location in
      let store = try await Store(location)
      let appointment = Appointment(id: 1, due: nil, slots: [.init(begin: morning)])
      try await store.save(appointment)
      let json = try await store.read { transaction in
        try transaction.fetch(
          String.self, sql: "SELECT \(identifier: "slots") FROM \(identifier: "Appointment")")
      }
      try expect(json, is: [#"[{"begin":"2026-11-28T08:00:00.250Z"}]"#])
      try await store.perform { transaction in
        _ = try transaction.execute(
          "UPDATE \(identifier: "Appointment") SET \(identifier: "slots") = '[{\"begin\":817545600.25}]'")
      }
      try expect(try await store.fetch(Appointment.self), is: [appointment])
    },
    Case("a column of dates of an earlier version keeps its numbers until a migration", needs: [.sharing]) { location in
      var dates: [Date?] = [morning, nil, morning.addingTimeInterval(-100), morning.addingTimeInterval(1.5)]
      let old = try await Store(location)
      try await saveNumbers(dates, in: old)
      try await checkConditions(dates, in: old)
      try expect(
        try await old.save(dates.enumerated().map { Appointment(id: $0, due: $1) }).unchanged, is: 4)
      dates[1] = morning.addingTimeInterval(7)
      dates[3] = nil
      try await old.save([Appointment(id: 1, due: dates[1]), Appointment(id: 3, due: nil)])
      try await old.decode(Appointment.self, #"{"id": 2, "due": 817545599, "slots": []}"#)
      dates[2] = morning.addingTimeInterval(-1.25)
      try await checkConditions(dates, in: old)
      let numbers = try await old.fetch(NumberedAppointment.self, key: 2)?.due
      try expect(numbers, is: 817_545_599)
      await old.close()
      let retype = StoreMigration.retype("due", as: Date.self, in: "Appointment")
      let new = try await Store(location, migrations: [retype])
      try await checkConditions(dates, in: new)
      try expect(try await texts(new).contains("2026-11-28T07:59:59.000000000Z"), is: true)
      try expect(
        try await new.save(dates.enumerated().map { Appointment(id: $0, due: $1) }).unchanged, is: 4)
      await new.close()
      // In the other direction, a closure chooses the number.
      let number = StoreMigration.retype("due", in: "Appointment") { (date: Date) in date.timeIntervalSinceReferenceDate
      }
      let back = try await Store(location, migrations: [retype, number])
      try expect(try await back.fetch(NumberedAppointment.self, key: 2)?.due, is: 817_545_599)
    },
    Case("a date is a match key") { location in
      let store = try await Store(location)
      let readings = (0..<300).map { Reading(time: morning.addingTimeInterval(Double($0) / 3), value: $0) }
      try await store.save(readings)
      try expect(try await store.save(readings), is: .init(unchanged: 300))
      try expect(try await store.fetch(Reading.self).map(\.value), is: Array(0..<300))
      try expect(try await store.fetch(Reading.self, key: readings[7].time)?.value, is: 7)
      try expect(try await store.delete(readings[7]), is: true)
    },
  ]
}
