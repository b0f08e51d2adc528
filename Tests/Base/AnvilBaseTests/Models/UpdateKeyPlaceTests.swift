import AnvilBase
import AnvilJSON
import Foundation
import Testing

/// Keys for one value in different objects, and keys that a model reads in other orders than it tries them.
@Suite struct UpdateKeyPlaceTests {
  @Test(arguments: SampleFormat.allCases)
  func aKeyBesideAnObjectPrecedesAKeyInTheOldObject(format: SampleFormat) throws {
    let old = UpdateAliasTests.Contact(email: "a", phone: 1)
    #expect(try format.update(old, #"{"email": "b"}"#) == UpdateAliasTests.Contact(email: "b", phone: 1))
    #expect(try format.update(old, #"{"email": null}"#) == UpdateAliasTests.Contact(email: nil, phone: 1))
    #expect(
      try format.update(old, #"{"contact": {"phone": 2}, "email": "b"}"#)
        == UpdateAliasTests.Contact(email: "b", phone: 2))
    #expect(
      try format.update(old, #"{"contact": {"email": "c"}, "email": "b"}"#)
        == UpdateAliasTests.Contact(email: "c", phone: 1))
    #expect(try format.update(old, #"{"other": 1}"#) == old)
  }

  /// Reads an address from the first of several places, and writes it in one of them.
  struct Scattered: Codable, Equatable, DecoderUpdatable {
    enum Keys: String, CodingKey { case email, mail, contact, profile, name, written }
    enum Place: String, Codable, CaseIterable { case top, contact, profile }
    enum Reading: String, Codable, CaseIterable { case attempts, checks, reversed }

    var written: Place, reading: Reading
    var email: String?, name: String?

    init(_ written: Place, _ reading: Reading, email: String?, name: String?) {
      (self.written, self.reading, self.email, self.name) = (written, reading, email, name)
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      let form = try container.decode(String.self, forKey: .written).split(separator: " ").map(String.init)
      written = Place(rawValue: form[0]) ?? .top
      reading = Reading(rawValue: form[1]) ?? .attempts
      name = try container.decodeIfPresent(String.self, forKey: .name)
      for place in reading == .reversed ? Place.allCases.reversed() : Place.allCases where email == nil {
        email = try Self.email(place, in: container, reading)
      }
    }

    private static func email(
      _ place: Place, in container: KeyedDecodingContainer<Keys>, _ reading: Reading
    ) throws -> String? {
      guard place != .top else { return try container.decodeIfPresent(String.self, forKey: .email) }
      let key = place == .contact ? Keys.contact : .profile
      if reading == .checks {
        guard container.contains(key) else { return nil }
        return try container.nestedContainer(keyedBy: Keys.self, forKey: key)
          .decodeIfPresent(String.self, forKey: .mail)
      }
      let nested = try? container.nestedContainer(keyedBy: Keys.self, forKey: key)
      return try nested?.decodeIfPresent(String.self, forKey: .mail)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode("\(written.rawValue) \(reading.rawValue)", forKey: .written)
      try container.encodeIfPresent(name, forKey: .name)
      guard written != .top else { return try container.encodeIfPresent(email, forKey: .email) }
      var nested = container.nestedContainer(keyedBy: Keys.self, forKey: written == .contact ? .contact : .profile)
      try nested.encodeIfPresent(email, forKey: .mail)
    }
  }

  @Test(arguments: SampleFormat.allCases, Scattered.Reading.allCases)
  func keysInAnyObjectPrecedeThoseOfTheOldValue(format: SampleFormat, reading: Scattered.Reading) throws {
    for written in Scattered.Place.allCases {
      let old = Scattered(written, reading, email: "a", name: "n")
      let expected = Scattered(written, reading, email: "b", name: "n")
      for text in [#"{"email": "b"}"#, #"{"contact": {"mail": "b"}}"#, #"{"profile": {"mail": "b"}}"#] {
        #expect(try format.update(old, text) == expected, "\(written) \(text)")
      }
      #expect(try format.update(old, #"{"contact": {}}"#) == old)
      #expect(try format.update(old, #"{"name": null}"#).email == "a")
    }
  }

  /// Reads both keys before it chooses a value, with another key between them.
  struct Eager: Codable, Equatable, DecoderUpdatable {
    enum Order: String, Codable, CaseIterable { case aliasFirst, keyFirst, bothThenAlias, bothThenKey }
    var order: Order, email: String?, note: String?, nick: String?

    init(_ order: Order, email: String?, note: String?) { (self.order, self.email, self.note) = (order, email, note) }

    enum Keys: String, CodingKey { case order, email, mail, note, nick }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      order = try container.decode(Order.self, forKey: .order)
      func value(_ key: Keys) throws -> String? { try container.decodeIfPresent(String.self, forKey: key) }
      let first = try value(order == .aliasFirst || order == .bothThenAlias ? .mail : .email)
      note = try value(.note)
      nick = try value(.nick)
      switch order {
      case .aliasFirst: email = try first ?? value(.email)
      case .keyFirst: email = try first ?? value(.mail)
      case .bothThenAlias:
        let second = try value(.email)
        email = first ?? second
      case .bothThenKey:
        let second = try value(.mail)
        email = first ?? second
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(order, forKey: .order)
      if let email { try container.encode(email, forKey: .email) }
      if let note { try container.encode(note, forKey: .note) }
      if let nick { try container.encode(nick, forKey: .nick) }
    }
  }

  @Test(arguments: SampleFormat.allCases, Eager.Order.allCases)
  func keysNeedNotBeReadOneAfterTheOther(format: SampleFormat, order: Eager.Order) throws {
    let old = Eager(order, email: "a", note: "n")
    // If both keys are read in any case, a null is no evidence.
    let kept = order == .keyFirst ? nil : "a"
    #expect(try format.update(old, #"{"mail": null}"#) == Eager(order, email: kept, note: "n"))
    #expect(try format.update(old, #"{"mail": "b"}"#) == Eager(order, email: "b", note: "n"))
    #expect(try format.update(old, #"{"note": null}"#) == Eager(order, email: "a", note: nil))
    #expect(try format.update(old, #"{"nick": null, "note": "m"}"#) == Eager(order, email: "a", note: "m"))
    #expect(try format.update(old, #"{"mail": null, "note": null}"#) == Eager(order, email: kept, note: nil))
  }

  /// Reads a price in another unit, and writes the price under two keys.
  struct Price: Codable, Equatable, DecoderUpdatable {
    enum Keys: String, CodingKey { case price, cents, name, title }
    var price: Double, name: String

    init(price: Double, name: String) { (self.price, self.name) = (price, name) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      if let price = try container.decodeIfPresent(Double.self, forKey: .price) {
        self.price = price
      } else {
        price = try Double(container.decode(Int.self, forKey: .cents)) / 100
      }
      name = try container.decodeIfPresent(String.self, forKey: .name) ?? container.decode(String.self, forKey: .title)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(price, forKey: .price)
      try container.encode(name, forKey: .name)
      try container.encode(name, forKey: .title)
    }
  }

  @Test(arguments: SampleFormat.allCases)
  func valuesOfAnotherTypeAndKeysThatAreWrittenTooPrecede(format: SampleFormat) throws {
    let old = Price(price: 1.25, name: "n")
    #expect(try format.update(old, #"{"cents": 250}"#) == Price(price: 2.5, name: "n"))
    #expect(try format.update(old, #"{"title": "t"}"#) == Price(price: 1.25, name: "t"))
  }
}
