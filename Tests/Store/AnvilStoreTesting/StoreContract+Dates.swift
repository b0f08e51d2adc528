internal import AnvilBase
internal import AnvilCodable
internal import AnvilJSON
internal import AnvilStore

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

/// Dates with `@CodableBy`.
@JSONCodable @StoredModel
private struct Push: Equatable {
  @MatchKey var id: Int
  @CodableBy(.secondsSince1970) var pushedAt: Date = Date(timeIntervalSince1970: 5)
  @CodableBy(.millisecondsSince1970) var seenAt: Date?
  @CodableBy(.secondsSince1970) var visits: [Date] = []
  @CodableBy(.iso8601) var createdAt: Date = Date(timeIntervalSince1970: 0)
  @CodableBy(.text(of: Int.self)) var stars: Int = 0
}

/// The rows of an earlier version without strategies.
@StoredModel
private struct OldPush: Equatable {
  static let entityName = "Push"
  @MatchKey var id: Int
  var pushedAt: Date
  var seenAt: Date?
  var visits: [Date]
  var stars: Int
}

@JSONCodable @StoredModel
private struct Tick: Equatable {
  @MatchKey @CodableBy(.secondsSince1970) var time: Date
  var value: Int
  var note: String = ""
}

@JSONCodable @StoredModel
private struct LaterTick: Equatable {
  static let entityName = "OldTick"
  @MatchKey @CodableBy(.secondsSince1970) var time: Date
  var value: Int
  var note: String = ""
}

@StoredModel
private struct OldTick {
  @MatchKey var time: Date
  var value: Int
  var note: String
}

/// A model with days in columns and in JSON.
@StoredModel
private struct Birthday: Equatable {
  struct Party: Codable, Equatable { var day: JSON.Day }

  @MatchKey var born: JSON.Day
  var name: String
  var married: JSON.Day?
  var parties: [Party] = []
}

/// The same model, stored with `Codable`.
private struct PlainBirthday: Codable, Sendable, Equatable, ManagedDecodable {
  static let entityName = "Birthday"
  static let matchKeys: [MatchKey]? = [.key(CodingKeys.born)]

  var born: JSON.Day
  var name: String
  var married: JSON.Day?
  var parties: [Birthday.Party]
}

extension StoreContract {
  private static func day(_ text: String) throws -> JSON.Day {
    guard let day = JSON.Day(text) else { throw Violation(description: "\(text) is not a day") }
    return day
  }

  private static func pushes() -> [Push] {
    (1...3).map { id in
      let date = Date(timeIntervalSince1970: 1_795_852_799.5 + Double(id))
      return Push(
        id: id, pushedAt: date, seenAt: id == 2 ? nil : date, visits: id == 1 ? [date] : [], stars: id * 6)
    }
  }

  private static func checkPushes(in store: Store) async throws {
    let second = Date(timeIntervalSince1970: 1_795_852_801.5)
    let conditions: [(StoreCondition<Push>, [Int])] = [
      (\.pushedAt == second, [2]), (\.pushedAt < second, [1]), (\.pushedAt >= second, [2, 3]),
      (\.pushedAt != second, [1, 3]), (.isAmong(\.pushedAt, [second]), [2]), (\.seenAt == nil, [2]),
      (\.seenAt > second, [3]), (\.createdAt < second, [1, 2, 3]), (\.stars > 10 || \.stars == 6, [1, 2, 3]),
      (StoredColumn<Push, Date>("pushedAt") > second, [3]),
    ]
    for (index, (condition, expected)) in conditions.enumerated() {
      let found = try await store.fetch(Push.self, where: condition).map(\.id)
      try expect(found == expected, "condition \(index): \(found) is not \(expected)")
    }
    let sorted = try await store.fetch(Push.self, orderedBy: [.descending(\.pushedAt)]).map(\.id)
    try expect(sorted, is: [3, 2, 1])
    var streamed: [Int] = []
    for try await push in store.stream(Push.self, orderedBy: [.ascending(\.seenAt)], pageSize: 1) {
      streamed.append(push.id)
    }
    try expect(streamed, is: [2, 1, 3])
  }

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
    Case("the type of a key to which a table of SQL refers is not changed", needs: [.sharing]) { location in
      struct Parent: Codable, Sendable, ManagedDecodable {
        static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
        var id: Int
      }
      let store = try await Store(location)
      try await store.save([Parent(id: 1), Parent(id: 2)])
      let table: StoreStatement = """
        CREATE TABLE attachment (id BIGINT PRIMARY KEY, parent BIGINT REFERENCES "Parent" ("id") ON DELETE CASCADE)
        """
      try await store.perform { transaction in
        try transaction.execute(table)
        try transaction.execute("INSERT INTO attachment VALUES (10, 1), (11, 2)")
      }
      await store.close()
      do {
        _ = try await Store(location, migrations: [.retype("id", as: String.self, in: "Parent")])
        throw Violation(description: "the key was changed")
      } catch is StoreError {}
      let again = try await Store(location)
      try expect(try await again.read { try $0.fetch(Int.self, sql: "SELECT count(*) FROM attachment") }, is: [2])
    },
    Case("days are columns that conditions compare") { location in
      let store = try await Store(location)
      let (born, wedding) = (try day("1815-12-10"), try day("1835-07-08"))
      let models = [
        Birthday(born: try day("0099-12-31"), name: "old"),
        Birthday(born: born, name: "ada", married: wedding, parties: [.init(day: born)]),
        Birthday(born: try day("1912-06-23"), name: "alan"),
        Birthday(born: try day("9999-12-31"), name: "new", married: born),
      ]
      try expect(try await store.save(models), is: .init(inserted: 4))
      try expect(try await store.save(models), is: .init(unchanged: 4))
      let conditions: [(StoreCondition<Birthday>, [String])] = [
        (\.born >= born, ["ada", "alan", "new"]), (\.born > born, ["alan", "new"]), (\.born < born, ["old"]),
        (\.born == born, ["ada"]), (\.born != born, ["old", "alan", "new"]), (\.married == nil, ["old", "alan"]),
        (\.married >= wedding, ["ada"]), (\.married == born, ["new"]), (.isAmong(\.born, [born]), ["ada"]),
      ]
      for (index, (condition, names)) in conditions.enumerated() {
        let found = try await store.fetch(Birthday.self, where: condition, orderedBy: [.ascending(\.born)]).map(\.name)
        try expect(found == names, "condition \(index): \(found) is not \(names)")
      }
      try expect(try await store.fetch(Birthday.self, orderedBy: [.descending(\.born)]), is: models.reversed())
      try expect(try await store.fetch(Birthday.self, key: born), is: models[1])
      let texts = try await store.read { transaction in
        try transaction.fetch(
          JSON.Day.self,
          sql:
            "SELECT \(identifier: "born") FROM \(identifier: "Birthday") WHERE \(identifier: "born") <= \(born) ORDER BY \(identifier: "born")"
        )
      }
      try expect(texts, is: [models[0].born, born])
      // Both kinds of models have the same rows.
      let plain = PlainBirthday(born: born, name: "ada", married: wedding, parties: [.init(day: born)])
      try expect(try await store.fetch(PlainBirthday.self, key: born), is: plain)
      try expect(try await store.save([plain]), is: .init(unchanged: 1))
      let bornColumn = StoredColumn<PlainBirthday, JSON.Day>("born")
      let marriedColumn = StoredColumn<PlainBirthday, JSON.Day?>("married")
      let found = try await store.fetch(PlainBirthday.self, where: bornColumn > born && marriedColumn == nil)
      try expect(found.map(\.name), is: ["alan"])
      try await store.decode(Birthday.self, #"{"born": "2000-02-29", "name": "leap", "married": null, "parties": []}"#)
      try expect(try await store.fetch(Birthday.self, key: try day("2000-02-29"))?.name, is: "leap")
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
      let (_, latest, related) = try require(
        try await store.fetch(Chart.self, with: \.latest, \.samples).first, "the chart")
      try expect(latest?.value, is: 0)
      try expect(related.map(\.value), is: samples.map(\.value))
      try expect(try await store.fetch(Chart.self, where: \.latest.value == 0).count, is: 1)
      for sample in samples {
        let value = sample.value
        try expect(try await store.fetch(Chart.self, where: .any(\.samples, where: \.value == value)).count, is: 1)
      }
      for sample in samples {
        try expect(try await store.fetch(Chart.self, where: .contains(\.samples, sample.time)).count, is: 1)
        try expect(try await store.fetch(Chart.self, where: !.contains(\.samples, sample.time)).count, is: 0)
      }
      let other = morning.addingTimeInterval(100)
      try expect(try await store.fetch(Chart.self, where: .contains(\.samples, other)).count, is: 0)
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
            [json], as: "Appointment", keys: ["id"],
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
    Case("a date with a strategy is stored in the form of the strategy") { location in
      let store = try await Store(location)
      let pushes = pushes()
      try expect(try await store.save(pushes), is: .init(inserted: 3))
      try expect(try await store.save(pushes), is: .init(unchanged: 3))
      try expect(try await store.fetch(Push.self), is: pushes)
      let (seconds, visits) = try await store.read { transaction in
        (
          try transaction.fetch(
            Double.self, sql: "SELECT \(identifier: "pushedAt") FROM \(identifier: "Push") ORDER BY 1"),
          try transaction.fetch(
            String.self,
            sql: "SELECT \(identifier: "visits") FROM \(identifier: "Push") WHERE \(identifier: "id") = 1"
          )
        )
      }
      try expect(seconds, is: [1_795_852_800.5, 1_795_852_801.5, 1_795_852_802.5])
      try expect(visits, is: ["[1795852800.5]"])
      try await checkPushes(in: store)
      let payload = #"{"id": 1, "pushedAt": 1795852900, "seenAt": null, "visits": [1]}"#
      let updated = try await store.decode(Push.self, payload)
      try expect(updated.pushedAt, is: Date(timeIntervalSince1970: 1_795_852_900))
      try expect(try await store.fetch(Push.self, key: 1), is: updated)
      try expect(try await store.fetch(Push.self, where: \.pushedAt == updated.pushedAt).count, is: 1)
    },
    Case("a column of dates keeps its form when the property gets a strategy", needs: [.sharing]) { location in
      let old = try await Store(location)
      let pushes = pushes()
      try await old.save(
        pushes.map {
          OldPush(id: $0.id, pushedAt: $0.pushedAt, seenAt: $0.seenAt, visits: $0.visits, stars: $0.stars)
        })
      await old.close()
      let new = try await Store(location)
      try expect(try await new.fetch(Push.self).map(\.pushedAt), is: pushes.map(\.pushedAt))
      try expect(try await new.fetch(Push.self).map(\.visits), is: pushes.map(\.visits))
      try await checkPushes(in: new)
      try await new.save(pushes)
      try expect(try await new.save(pushes), is: .init(unchanged: 3))
      try await checkPushes(in: new)
      try expect(try await new.fetch(OldPush.self).map(\.pushedAt), is: pushes.map(\.pushedAt))
      await new.close()
      let retype = StoreMigration.retype("pushedAt", in: "Push") { (date: Date) in date.timeIntervalSince1970 }
      let migrated = try await Store(location, migrations: [retype])
      try expect(try await migrated.save(pushes), is: .init(unchanged: 3))
      try await checkPushes(in: migrated)
    },
    Case("a match key with a strategy identifies its row", needs: [.sharing]) { location in
      let store = try await Store(location)
      let times = fractions.map { Date(timeIntervalSince1970: 1_795_852_800 + $0) }
      func check() async throws {
        for (index, time) in times.enumerated() {
          let json = #"{"time": \#(time.timeIntervalSince1970), "note": "n"}"#
          try expect(try await store.decode(Tick.self, json).value, is: index)
          try expect(try await store.fetch(Tick.self, key: time)?.note, is: "n")
        }
        let list = times.map { #"{"time": \#($0.timeIntervalSince1970), "note": "m"}"# }.joined(separator: ", ")
        try expect(
          try await store.decode([Tick].self, "[\(list)]", missing: .deleted).changes, is: .init(updated: times.count))
      }
      try await store.save(times.enumerated().map { Tick(time: $1, value: $0) })
      try await check()
      try expect(try await store.delete(Tick(time: times[0], value: 0)), is: true)
      // The column has the form of an earlier version.
      let old = try await Store(location)
      try await old.save(times.enumerated().map { OldTick(time: $1, value: $0, note: "") })
      for (index, time) in times.enumerated() {
        let json = #"{"time": \#(time.timeIntervalSince1970), "note": "n"}"#
        try expect(try await old.decode(LaterTick.self, json).value, is: index)
        try expect(try await old.fetch(LaterTick.self, key: time)?.note, is: "n")
      }
      try expect(try await old.delete(LaterTick(time: times[0], value: 0)), is: true)
    },
  ]
}
