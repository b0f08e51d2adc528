import AnvilFormats
import AnvilJSON
import AnvilModel
import Foundation
import Synchronization
import Testing

/// Models that read a value from one of two keys. A key in the input takes precedence over a key that only the old value has.
@Suite struct UpdateAliasTests {
  /// The ways in which a handwritten `init(from:)` tries the keys `email`, which is written, and `mail`.
  enum Order: String, CaseIterable, Codable {
    case ifPresentElse, aliasIfPresentElse, containsElse, aliasContainsElse, attemptElse, aliasAttemptElse, nested
  }

  enum Keys: String, CodingKey { case email, mail, home, house, note, order }

  /// Requires the value.
  struct Required: Codable, Equatable, DecoderUpdatable {
    var order: Order
    var email: String
    var note: String?

    init(order: Order, email: String, note: String? = nil) {
      self.order = order
      self.email = email
      self.note = note
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      order = try container.decode(Order.self, forKey: .order)
      email = try UpdateAliasTests.value(String.self, .email, .mail, in: container, order)
      note = try container.decodeIfPresent(String.self, forKey: .note)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(order, forKey: .order)
      try container.encode(email, forKey: .email)
      try container.encodeIfPresent(note, forKey: .note)
    }
  }

  struct Street: Codable, Equatable, DecoderUpdatable {
    var name: String
    var number: Int?
  }

  /// Requires a model.
  struct Resident: Codable, Equatable, DecoderUpdatable {
    var order: Order
    var home: Street

    init(order: Order, home: Street) {
      self.order = order
      self.home = home
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      order = try container.decode(Order.self, forKey: .order)
      home = try UpdateAliasTests.value(Street.self, .home, .house, in: container, order)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(order, forKey: .order)
      try container.encode(home, forKey: .home)
    }
  }

  private static func value<T: Decodable>(
    _ type: T.Type, _ key: Keys, _ alias: Keys, in container: KeyedDecodingContainer<Keys>, _ order: Order
  ) throws -> T {
    switch order {
    case .ifPresentElse:
      try container.decodeIfPresent(type, forKey: key) ?? container.decode(type, forKey: alias)
    case .aliasIfPresentElse:
      try container.decodeIfPresent(type, forKey: alias) ?? container.decode(type, forKey: key)
    case .containsElse: try container.decode(type, forKey: container.contains(key) ? key : alias)
    case .aliasContainsElse: try container.decode(type, forKey: container.contains(alias) ? alias : key)
    case .attemptElse: try (try? container.decode(type, forKey: key)) ?? container.decode(type, forKey: alias)
    case .aliasAttemptElse: try (try? container.decode(type, forKey: alias)) ?? container.decode(type, forKey: key)
    case .nested:
      try type.init(from: container.superDecoder(forKey: [key, alias].first(where: container.contains) ?? key))
    }
  }

  /// May lack the value.
  struct Optional: Codable, Equatable, DecoderUpdatable {
    var order: Order
    var email: String?
    var note: String?

    init(order: Order, email: String?, note: String? = nil) {
      self.order = order
      self.email = email
      self.note = note
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      order = try container.decode(Order.self, forKey: .order)
      email =
        switch order {
        case .ifPresentElse:
          try container.decodeIfPresent(String.self, forKey: .email)
            ?? container.decodeIfPresent(String.self, forKey: .mail)
        case .aliasIfPresentElse:
          try container.decodeIfPresent(String.self, forKey: .mail)
            ?? container.decodeIfPresent(String.self, forKey: .email)
        default: try container.decodeIfPresent(String.self, forKey: container.contains(.email) ? .email : .mail)
        }
      note = try container.decodeIfPresent(String.self, forKey: .note)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(order, forKey: .order)
      try container.encodeIfPresent(email, forKey: .email)
      try container.encodeIfPresent(note, forKey: .note)
    }
  }

  @Test(arguments: SampleFormat.allCases, Order.allCases)
  func keyOfTheInputPrecedesTheKeyOfTheOldValue(format: SampleFormat, order: Order) throws {
    let old = Required(order: order, email: "a", note: "n")
    #expect(try format.update(old, #"{"mail": "b"}"#) == Required(order: order, email: "b", note: "n"))
    #expect(try format.update(old, #"{"mail": "b", "note": "m"}"#) == Required(order: order, email: "b", note: "m"))
    #expect(try format.update(old, #"{"email": "c"}"#) == Required(order: order, email: "c", note: "n"))
    #expect(try format.update(old, #"{"note": "m"}"#) == Required(order: order, email: "a", note: "m"))
    #expect(try format.update(old, "{}") == old)
  }

  @Test(arguments: SampleFormat.allCases, Order.allCases)
  func bothKeysInTheInputAreReadAsWithoutAnOldValue(format: SampleFormat, order: Order) throws {
    let isAliasFirst = order.rawValue.hasPrefix("alias")
    let new = try format.update(Required(order: order, email: "a"), #"{"mail": "b", "email": "c"}"#)
    #expect(new.email == (isAliasFirst ? "b" : "c"))
  }

  /// The guide says so: a null is no evidence if the model reads it before the key of the old value.
  @Test(arguments: SampleFormat.allCases, [Order.ifPresentElse, .aliasIfPresentElse, .containsElse])
  func nullUnderAnAliasClearsIfItIsOnlyReadWithoutTheKey(format: SampleFormat, order: Order) throws {
    let old = Optional(order: order, email: "a", note: "n")
    let email = order == .aliasIfPresentElse ? "a" : nil
    #expect(try format.update(old, #"{"mail": null}"#) == Optional(order: order, email: email, note: "n"))
    #expect(try format.update(old, #"{"mail": "b"}"#) == Optional(order: order, email: "b", note: "n"))
    #expect(try format.update(old, #"{"note": null}"#) == Optional(order: order, email: "a", note: nil))
    let empty = Optional(order: order, email: nil, note: "n")
    #expect(try format.update(empty, #"{"mail": null}"#) == empty)
    #expect(try format.update(empty, #"{"mail": "b"}"#) == Optional(order: order, email: "b", note: "n"))
  }

  @Test(arguments: SampleFormat.allCases, Order.allCases)
  func partOfAModelUnderAnAliasUpdatesItInPlace(format: SampleFormat, order: Order) throws {
    guard order != .nested else { return }
    let old = Resident(order: order, home: Street(name: "s", number: 1))
    let new = try format.update(old, #"{"house": {"number": 2}}"#)
    #expect(new == Resident(order: order, home: Street(name: "s", number: 2)))
    #expect(
      try format.update(old, #"{"house": {"name": "t"}}"#)
        == Resident(order: order, home: Street(name: "t", number: 1)))
  }

  /// Has two keys in a nested object, and writes the alias.
  struct Nested: Codable, Equatable, DecoderUpdatable {
    enum Keys: String, CodingKey { case contact, kind }
    enum ContactKeys: String, CodingKey { case email, mail, e_mail }

    var kind = "k"
    var email: String

    init(email: String) { self.email = email }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      // The key "kind" is only written.
      let contact = try container.nestedContainer(keyedBy: ContactKeys.self, forKey: .contact)
      let keys: [ContactKeys] = [.mail, .e_mail, .email]
      email = try contact.decode(String.self, forKey: keys.first(where: contact.contains) ?? .email)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(kind, forKey: .kind)
      var contact = container.nestedContainer(keyedBy: ContactKeys.self, forKey: .contact)
      try contact.encode(email, forKey: .e_mail)
    }
  }

  @Test(arguments: SampleFormat.allCases, ["mail", "e_mail", "email"])
  func keysInNestedObjectsPrecedeThoseOfTheOldValue(format: SampleFormat, key: String) throws {
    let old = Nested(email: "a")
    #expect(try format.update(old, #"{"contact": {"\#(key)": "b"}, "kind": "x"}"#) == Nested(email: "b"))
    #expect(try format.update(old, #"{"contact": {}, "kind": "x"}"#) == old)
  }

  final class Counter: Sendable {
    let value = Mutex(0)
  }

  /// A chain of models, each of which has a key that is only written and a key with an alias.
  struct Node: Codable, DecoderUpdatable {
    enum Keys: String, CodingKey { case name, title, kind, child }
    @TaskLocal static var count: Counter?

    var name: String
    var child: [Node]
    private var next: Child? { child.first.map(Child.init) }

    init(name: String, child: [Node]) {
      self.name = name
      self.child = child
    }

    init(from decoder: any Decoder) throws {
      Self.count?.value.withLock { $0 += 1 }
      let container = try decoder.container(keyedBy: Keys.self)
      name = try container.decodeIfPresent(String.self, forKey: .name) ?? container.decode(String.self, forKey: .title)
      child = try container.decodeIfPresent(Child.self, forKey: .child).map { [$0.node] } ?? []
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(name, forKey: .name)
      try container.encode("node", forKey: .kind)
      try container.encodeIfPresent(next, forKey: .child)
    }

    struct Child: Codable, DecoderUpdatable {
      var node: Node
      init(_ node: Node) { self.node = node }
      init(from decoder: any Decoder) throws { node = try decoder.singleValueContainer().decode(Node.self) }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(node)
      }
    }
  }

  /// Decoding each model again for each model around it would be exponential.
  @Test func modelsAreDecodedAFewTimesAtAnyDepth() throws {
    let depth = 40
    var old = Node(name: "a", child: [])
    var text = #"{"title": "b", "kind": "x"}"#
    for _ in 0..<depth {
      old = Node(name: "a", child: [old])
      text = #"{"child": \#(text), "title": "b", "kind": "x"}"#
    }
    let count = Counter()
    let new = try Node.$count.withValue(count) { try JSON.Decoder().update(old, from: Data(text.utf8)) }
    var node: Node? = new
    var names: [String] = []
    while let current = node {
      names.append(current.name)
      node = current.child.first
    }
    #expect(names == [String](repeating: "b", count: depth + 1))
    #expect(count.value.withLock(\.self) <= 6 * (depth + 1))
  }

  /// Objects in the input that are updated in place are updated once.
  @Test(arguments: SampleFormat.allCases)
  func objectsAreUpdatedOnce(format: SampleFormat) throws {
    final class Counter: Codable, DecoderUpdatable {
      var count: Int
      var updates = 0
      enum CodingKeys: CodingKey { case count }
      init(count: Int) { self.count = count }
      func update(from decoder: any Decoder) throws {
        count = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .count)
        updates += 1
      }
    }
    struct Holder: Codable, DecoderUpdatable {
      enum CodingKeys: CodingKey { case counter, name, title }
      var counter: Counter
      var name: String
      init(counter: Counter, name: String) { (self.counter, self.name) = (counter, name) }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        counter = try container.decode(Counter.self, forKey: .counter)
        name = try container.decode(String.self, forKey: container.contains(.name) ? .name : .title)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(counter, forKey: .counter)
        try container.encode(name, forKey: .name)
      }
    }
    let counter = Counter(count: 1)
    let new = try format.update(Holder(counter: counter, name: "a"), #"{"counter": {"count": 2}, "title": "b"}"#)
    #expect(new.counter === counter)
    #expect(counter.count == 2 && counter.updates == 1)
    #expect(new.name == "b")
  }

  @Test func keyStrategiesApplyToAliases() throws {
    struct User: Codable, Equatable, DecoderUpdatable {
      enum CodingKeys: String, CodingKey { case mailAddress, email }
      var email: String
      init(email: String) { self.email = email }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        email = try container.decode(String.self, forKey: container.contains(.email) ? .email : .mailAddress)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(email, forKey: .email)
      }
    }
    let anvil = JSON.Decoder()
    anvil.keyDecodingStrategy = .convertFromSnakeCase
    let foundation = JSONDecoder()
    foundation.keyDecodingStrategy = .convertFromSnakeCase
    for format in [anvil, foundation] as [any DecodingFormat] {
      #expect(try format.update(User(email: "a"), from: Data(#"{"mail_address": "b"}"#.utf8)) == User(email: "b"))
    }
    #expect(try URLForm.Decoder().update(User(email: "a"), from: Data("mailAddress=b".utf8)) == User(email: "b"))
  }

  // MARK: Keys that are no alternatives

  /// Reads the title only if the model is not archived.
  struct Conditional: Codable, Equatable, DecoderUpdatable {
    var archived = false
    var title: String?

    init(archived: Bool, title: String?) { (self.archived, self.title) = (archived, title) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      archived = try container.decodeIfPresent(Bool.self, forKey: .archived) ?? false
      if !archived { title = try container.decodeIfPresent(String.self, forKey: .title) }
    }
  }

  /// Reads a name that depends on the version.
  struct Versioned: Codable, Equatable, DecoderUpdatable {
    enum CodingKeys: CodingKey { case version, name, fullName }
    var version: Int, name: String?

    init(version: Int, name: String?) { (self.version, self.name) = (version, name) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      version = try container.decodeIfPresent(Int.self, forKey: .version) ?? 1
      name = try container.decodeIfPresent(String.self, forKey: version >= 2 ? .fullName : .name)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(version, forKey: .version)
      try container.encodeIfPresent(name, forKey: version >= 2 ? .fullName : .name)
    }
  }

  /// Reads the placeholder only without an image.
  struct Picture: Codable, Equatable, DecoderUpdatable {
    var image: String?, placeholder: String?

    init(image: String?, placeholder: String?) { (self.image, self.placeholder) = (image, placeholder) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      image = try container.decodeIfPresent(String.self, forKey: .image)
      if image == nil { placeholder = try container.decodeIfPresent(String.self, forKey: .placeholder) }
    }
  }

  /// Reads the address of an object, or else one beside the object.
  struct Contact: Codable, Equatable, DecoderUpdatable {
    enum CodingKeys: CodingKey { case contact, email, phone }
    var email: String?, phone: Int?

    init(email: String?, phone: Int?) { (self.email, self.phone) = (email, phone) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let contact = try? container.nestedContainer(keyedBy: CodingKeys.self, forKey: .contact)
      phone = try contact?.decodeIfPresent(Int.self, forKey: .phone)
      email = try contact?.decodeIfPresent(String.self, forKey: .email)
      if email == nil { email = try container.decodeIfPresent(String.self, forKey: .email) }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      var contact = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .contact)
      try contact.encodeIfPresent(email, forKey: .email)
      try contact.encodeIfPresent(phone, forKey: .phone)
    }
  }

  private func updated<Model: DecoderUpdatable>(_ model: Model, from text: String) throws -> Model {
    var model = model
    try model.update(from: JSON.Decoder().decoder(for: Data(text.utf8)))
    return model
  }

  @Test func aValueThatDependsOnAnotherKeyDoesNotReplaceIt() throws {
    let archived = Conditional(archived: true, title: nil)
    #expect(try updated(archived, from: #"{"title": "x"}"#) == archived)
    #expect(try updated(archived, from: #"{"title": null}"#) == archived)
    let versioned = Versioned(version: 2, name: "A")
    #expect(try updated(versioned, from: #"{"name": "b"}"#) == versioned)
    #expect(try updated(versioned, from: #"{"name": null}"#) == versioned)
    let picture = Picture(image: nil, placeholder: "p")
    #expect(try updated(picture, from: #"{"image": null}"#) == picture)
    #expect(try updated(picture, from: #"{"image": "i"}"#) == Picture(image: "i", placeholder: nil))
  }

  // MARK: Keys in other objects

  @Test(arguments: SampleFormat.allCases)
  func aKeyBesideAnObjectPrecedesAKeyInTheOldObject(format: SampleFormat) throws {
    let old = Contact(email: "a", phone: 1)
    #expect(try format.update(old, #"{"email": "b"}"#) == Contact(email: "b", phone: 1))
    #expect(try format.update(old, #"{"email": null}"#) == Contact(email: nil, phone: 1))
    #expect(try format.update(old, #"{"contact": {"phone": 2}, "email": "b"}"#) == Contact(email: "b", phone: 2))
    #expect(try format.update(old, #"{"contact": {"email": "c"}, "email": "b"}"#) == Contact(email: "c", phone: 1))
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

  // MARK: Keys that are read in other orders

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

  // MARK: Many keys

  /// Has many members and a value with an alias.
  struct Wide: Codable, Equatable, DecoderUpdatable {
    typealias Key = UpdateContainerTests.Key
    static let isAttempted = TaskLocal(wrappedValue: false)
    var values: [String: Int], email: String

    init(_ count: Int, email: String) {
      values = Dictionary(uniqueKeysWithValues: (0..<count).map { ("k\($0)", $0) })
      self.email = email
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      values = [:]
      if Self.isAttempted.get() {
        email =
          try (try? container.decode(String.self, forKey: "email")) ?? container.decode(String.self, forKey: "mail")
      } else {
        email =
          try container.decodeIfPresent(String.self, forKey: "email") ?? container.decode(String.self, forKey: "mail")
      }
      for key in container.allKeys where key.stringValue.hasPrefix("k") {
        values[key.stringValue] = try container.decode(Int.self, forKey: key)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      for (name, value) in values { try container.encode(value, forKey: Key(stringLiteral: name)) }
      try container.encode(email, forKey: "email")
    }
  }

  @Test(arguments: [false, true]) func aliasesOfModelsWithManyKeysAreFound(isAttempted: Bool) throws {
    let old = Wide(3000, email: "a")
    let new = try Wide.isAttempted.withValue(isAttempted) { try updated(old, from: #"{"mail": "b", "other": 1}"#) }
    #expect(new == Wide(3000, email: "b"))
  }

  /// Has many members that can be updated in place.
  struct Members: Codable, Equatable, DecoderUpdatable {
    typealias Key = UpdateContainerTests.Key
    var members: [String: Street]

    init(members: [String: Street]) { self.members = members }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      Node.count?.value.withLock { $0 += container.allKeys.count }
      members = [:]
      for key in container.allKeys { members[key.stringValue] = try container.decode(Street.self, forKey: key) }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      for (name, value) in members { try container.encode(value, forKey: Key(stringLiteral: name)) }
    }
  }

  @Test func membersUnderAnyKeyAreReadAFewTimes() throws {
    let count = 3000
    let old = Members(members: .init(uniqueKeysWithValues: (0..<count).map { ("k\($0)", Street(name: "s")) }))
    let text = (0..<count).map { #""n\#($0)": {"name": "t"}"# }.joined(separator: ",")
    let counter = Counter()
    let new = try Node.$count.withValue(counter) { try updated(old, from: "{\(text)}") }
    #expect(new.members.count == 2 * count)
    #expect(counter.value.withLock(\.self) <= 6 * 2 * count)
  }

  /// Requires many keys, and then a value with an alias that is only tried after an error.
  struct Attempted: Codable, Equatable, DecoderUpdatable {
    typealias Key = UpdateContainerTests.Key
    @TaskLocal static var count = 0
    var values: [Int], email: String

    init(email: String) { (values, self.email) = (Array(0..<Self.count), email) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      values = try (0..<Self.count).map { index in
        Node.count?.value.withLock { $0 += 1 }
        return try container.decode(Int.self, forKey: Key(stringLiteral: "k\(index)"))
      }
      email =
        try (try? container.decode(String.self, forKey: "email")) ?? container.decode(String.self, forKey: "mail")
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      for (index, value) in values.enumerated() {
        try container.encode(value, forKey: Key(stringLiteral: "k\(index)"))
      }
      try container.encode(email, forKey: "email")
    }
  }

  /// The documented limit: each required key takes a decoding of its own.
  @Test(arguments: [(300, "b"), (5000, "a")])
  func keysThatAreTriedAfterErrorsAreFoundWithinALimit(count: Int, email: String) throws {
    try Attempted.$count.withValue(count) {
      let counter = Counter()
      let new = try Node.$count.withValue(counter) { try updated(Attempted(email: "a"), from: #"{"mail": "b"}"#) }
      #expect(new == Attempted(email: email))
      #expect(counter.value.withLock(\.self) <= 200_000)
    }
  }

  // MARK: Objects

  /// Looking for the alternative of one key must not update the object under another one.
  @Test(arguments: SampleFormat.allCases)
  func objectsAreNotUpdatedByDecodingsThatAreRejected(format: SampleFormat) throws {
    final class Counter: Codable, DecoderUpdatable {
      var count: Int
      enum CodingKeys: CodingKey { case count }
      init(count: Int) { self.count = count }
      func update(from decoder: any Decoder) throws {
        count = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .count)
      }
    }
    struct Holder: Codable, DecoderUpdatable {
      enum CodingKeys: CodingKey { case version, first, second }
      var version: Int, counter: Counter?
      init(version: Int, counter: Counter) { (self.version, self.counter) = (version, counter) }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decodeIfPresent(Int.self, forKey: .version) ?? 1
        // With another version, the other key is read, but its value is no alternative.
        counter = try container.decodeIfPresent(Counter.self, forKey: version == 1 ? .second : .first)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encodeIfPresent(counter, forKey: version == 1 ? .second : .first)
      }
    }
    let counter = Counter(count: 1)
    let new = try format.update(Holder(version: 2, counter: counter), #"{"second": {"count": 2}}"#)
    #expect(new.version == 2 && new.counter === counter && counter.count == 1)
    let other = try format.update(Holder(version: 2, counter: counter), #"{"version": 1, "second": {"count": 3}}"#)
    #expect(other.counter !== counter && other.counter?.count == 3 && counter.count == 1)
  }

  /// The search for alternatives must not keep the old value.
  @Test func oldObjectsAreReleased() throws {
    final class Token: Codable {}
    struct Holder: Codable, DecoderUpdatable {
      enum CodingKeys: CodingKey { case token, kind, name }
      var token: Token, name: String?
      init(token: Token) { self.token = token }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        _ = try container.decodeIfPresent(String.self, forKey: .kind)
        token = try container.decode(Token.self, forKey: .token)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encode(token, forKey: .token)
      }
    }
    weak var token: Token?
    do {
      let old = Holder(token: Token())
      token = old.token
      let new = try updated(old, from: #"{"kind": "x"}"#)
      #expect(new.token === old.token)
    }
    #expect(token == nil)
  }

  @Test(arguments: SampleFormat.allCases)
  func anObjectUnderAnAliasIsUpdatedInPlaceOnce(format: SampleFormat) throws {
    final class Counter: Codable, DecoderUpdatable {
      var count: Int
      var updates = 0
      enum CodingKeys: CodingKey { case count }
      init(count: Int) { self.count = count }
      func update(from decoder: any Decoder) throws {
        count = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .count)
        updates += 1
      }
    }
    struct Holder: Codable, DecoderUpdatable {
      enum CodingKeys: CodingKey { case counter, total, name }
      var counter: Counter, name: String
      init(counter: Counter, name: String) { (self.counter, self.name) = (counter, name) }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        counter = try container.decode(Counter.self, forKey: container.contains(.counter) ? .counter : .total)
        name = try container.decode(String.self, forKey: .name)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(counter, forKey: .counter)
        try container.encode(name, forKey: .name)
      }
    }
    let counter = Counter(count: 1)
    let new = try format.update(Holder(counter: counter, name: "a"), #"{"total": {"count": 2}}"#)
    #expect(new.counter === counter && counter.count == 2 && counter.updates == 1)
  }
}
