import AnvilBase
import AnvilBodies
import AnvilJSON
import Foundation
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

  @Test func aValueThatDependsOnAnotherKeyDoesNotReplaceIt() throws {
    let archived = Conditional(archived: true, title: nil)
    #expect(try SampleFormat.anvil.update(archived, #"{"title": "x"}"#) == archived)
    #expect(try SampleFormat.anvil.update(archived, #"{"title": null}"#) == archived)
    let versioned = Versioned(version: 2, name: "A")
    #expect(try SampleFormat.anvil.update(versioned, #"{"name": "b"}"#) == versioned)
    #expect(try SampleFormat.anvil.update(versioned, #"{"name": null}"#) == versioned)
    let picture = Picture(image: nil, placeholder: "p")
    #expect(try SampleFormat.anvil.update(picture, #"{"image": null}"#) == picture)
    #expect(try SampleFormat.anvil.update(picture, #"{"image": "i"}"#) == Picture(image: "i", placeholder: nil))
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
      let new = try SampleFormat.anvil.update(old, #"{"kind": "x"}"#)
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
