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

/// A model whose key is a date, for references of both kinds.
@StoredModel
private struct Sample: Equatable, Identifiable {
  @MatchKey var time: Date
  var value: Int
  var note: String = ""
  var id: Date { time }
}

@StoredModel
private struct Series: Equatable {
  @MatchKey var id: Int
  var first: Sample?
  var samples: [Sample]
}

@StoredModel
private struct Chart: Equatable, Identifiable {
  @MatchKey var id: Int
  var latest: Reference<Sample>?
  var samples: [Reference<Sample>]
}

/// A key of two parts, without columns that are known in advance.
private struct Measurement: Codable, Sendable, Equatable, ManagedDecodable {
  static let matchKeys: [MatchKey]? = [.key(CodingKeys.sensor), .key(CodingKeys.time)]
  var sensor: String
  var time: Date
  var value: Int
}

/// An earlier and a later version of one model.
@StoredModel
private struct Event {
  static let entityName = "Event"
  @MatchKey var id: Int
}

@StoredModel
private struct DatedEvent {
  static let entityName = "Event"
  @MatchKey var id: Int
  var begin: Date = Date(timeIntervalSince1970: 1_795_852_800.123)
}

extension StoreContract {
  /// Fractions of a second that differ in nanoseconds and in microseconds, or have more digits than a column.
  private static let fractions = [0.123, 0.25, 0.1, 0.000_001, 0.123_456_7, 0.999_999_6]

  private static func samples() -> [Sample] {
    fractions.enumerated().map { Sample(time: morning.addingTimeInterval(Double($0) + $1 - 0.25), value: $0) }
  }

  /// The date with the digits of a `Date`.
  private static func text(_ date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    let nanoseconds = Int(((seconds - seconds.rounded(.down)) * 1e9).rounded())
    let digits = String(nanoseconds + 1_000_000_000).dropFirst()
    let second = Int(seconds.rounded(.down)) - Int(morning.timeIntervalSinceReferenceDate.rounded(.down))
    return "2026-11-28T08:00:0\(second).\(digits)Z"
  }

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
    Case("a payload finds the row whose key is a date, whatever its fraction") { location in
      let store = try await Store(location)
      let samples = samples()
      try await store.save(samples)
      for sample in samples {
        let changed = try await store.decode(Sample.self, #"{"time": "\#(text(sample.time))", "note": "alone"}"#)
        try expect(changed.value, is: sample.value)
        try expect(try await store.fetch(Sample.self, key: sample.time)?.note, is: "alone")
        try expect(try await store.fetch(Sample.self, where: \.time == sample.time).count, is: 1)
        try expect(try await store.fetch(Sample.self, where: .isAmong(\.time, [sample.time])).count, is: 1)
      }
      let payload = samples.map { #"{"time": "\#(text($0.time))", "note": "listed"}"# }.joined(separator: ", ")
      let list = try await store.decode([Sample].self, "[\(payload)]", missing: .deleted)
      try expect(list.changes, is: .init(updated: samples.count))
      try expect(list.models.map(\.value), is: samples.map(\.value))
      let kept = try await store.perform { transaction in
        try transaction.save(samples, rules: [.keep(StoreKey("note"))])
      }
      try expect(kept, is: .init(unchanged: samples.count))
      try expect(try await store.fetch(Sample.self).map(\.note), is: samples.map { _ in "listed" })
      try expect(try await store.delete(samples[0]), is: true)
    },
    Case("a payload finds the row of a key with a date among its parts") { location in
      let store = try await Store(location)
      let measurements = samples().map { Measurement(sensor: "a", time: $0.time, value: $0.value) }
      try await store.save(measurements)
      let payload = measurements.map { #"{"sensor": "a", "time": "\#(text($0.time))", "value": 9}"# }
      for json in payload {
        try expect(try await store.decode(Measurement.self, json).value, is: 9)
      }
      let list = try await store.decode([Measurement].self, "[\(payload.joined(separator: ", "))]", missing: .deleted)
      try expect(list.changes, is: .init(unchanged: payload.count))
      try expect(try await store.fetch(Measurement.self, key: "a", measurements[0].time)?.value, is: 9)
    },
    Case("references find the rows whose keys are dates") { location in
      let store = try await Store(location)
      let samples = samples()
      try await store.save(samples)
      try await store.save(Series(id: 1, first: samples[0], samples: samples))
      let references = samples.map { Reference<Sample>(id: $0.time) }
      try await store.save(Chart(id: 1, latest: references[0], samples: references))
      let series = try await store.fetch(Series.self, key: 1)
      try expect(series?.first?.value, is: 0)
      try expect(series?.samples.map(\.value), is: samples.map(\.value))
      let (_, latest, related) = try require(try await store.fetch(Chart.self, with: \.latest, \.samples).first, "the chart")
      try expect(latest?.value, is: 0)
      try expect(related.map(\.value), is: samples.map(\.value))
      try expect(try await store.fetch(Chart.self, where: \.latest.value == 0).count, is: 1)
      for sample in samples {
        let value = sample.value
        try expect(try await store.fetch(Chart.self, where: .any(\.samples, where: \.value == value)).count, is: 1)
      }
      let payload = samples.map { #"{"time": "\#(text($0.time))"}"# }.joined(separator: ", ")
      let again = try await store.decode(Series.self, #"{"id": 1, "samples": [\#(payload)]}"#)
      try expect(again.samples.map(\.value), is: samples.map(\.value))
      let changes = try await store.decode([Series].self, #"[{"id": 1, "samples": [\#(payload)]}]"#).changes
      try expect(changes, is: .init(unchanged: 1))
    },
    Case("objects with an equal date are as new as their row") { location in
      let store = try await Store(location)
      let samples = samples()
      try await store.save(samples.enumerated().map { Appointment(id: $0, due: $1.time) })
      for (index, sample) in samples.enumerated() {
        let json = try JSON(parsing: #"{"id": \#(index), "due": "\#(text(sample.time))", "slots": [1]}"#)
        let stored = try await store.perform { transaction in
          try transaction.store(
            json, as: "Appointment", keys: ["id"],
            rules: [.newest(StoreKey("slots"), by: StoreKey("due"))])
        }
        try expect(stored.counts, is: .init(updated: 1))
      }
    },
    Case("a default date is compared with the precision of a column") { location in
      let begin = Date(timeIntervalSince1970: 1_795_852_800.123)
      let store = try await Store(location)
      try await store.save(Event(id: 1))
      try expect(try await store.fetch(DatedEvent.self, where: \.begin == begin).count, is: 1)
      try expect(try await store.fetch(DatedEvent.self, where: .isAmong(\.begin, [begin])).count, is: 1)
      try await store.save(DatedEvent(id: 2))
      try expect(try await store.fetch(DatedEvent.self, where: \.begin == begin).count, is: 2)
      try await store.perform { transaction in
        _ = try transaction.execute("UPDATE \(identifier: "Event") SET \(identifier: "begin") = NULL")
      }
      try expect(try await store.fetch(DatedEvent.self, where: \.begin == begin).count, is: 2)
      try expect(try await store.fetch(DatedEvent.self, where: \.begin < begin).count, is: 0)
    },
  ]
}
