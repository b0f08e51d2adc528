import AnvilCodable
import Foundation

/// Nested types that use names of the outer scope.
enum Library {
  typealias ISBN = String
  static let standardShelf = 7
  static let noAuthors: [Author] = []

  struct Lower: CodableStrategy {
    func value(from text: String) -> String { text.lowercased() }
    func coded(_ value: String) -> String { value.uppercased() }
  }

  static var lower: Lower { Lower() }

  @JSONCodable
  struct Author: Equatable {
    var name: String
    fileprivate var age: Int?
    private(set) var city: String?

    init(name: String) { self.name = name }
  }

  @JSONCodable
  struct Book: Equatable {
    var isbn: ISBN
    @CodableDefault(standardShelf) var shelf: Int
    @CodableDefault(noAuthors) var authors: [Author]
    @CodableBy(lower) var title: String
    @CodableBy(Lower()) var subtitle: String?
    @CodableAlias("state") var status: Status
    @CodableDefault(Status.lent) var former: Status?
    @CodingKey("a", "b") var other: ISBN?
    var related: [Book]?
  }

  @JSONCodable
  enum Status: String {
    case lent, free
    @CodableUnknown case other
  }

  @JSONCodable @JSONTagged(by: "type")
  enum Item: Equatable {
    case book(Book)
    case magazine(isbn: ISBN, status: Status?)
  }

  @JSONCodable
  final class Shelf: Equatable {
    var number: Int
    @CodableDefault(noAuthors) var authors: [Author]
    var status: Status?
    @CodableBy(lower) var name: String

    init(number: Int, name: String) {
      self.number = number
      self.name = name
      authors = []
    }

    static func == (left: Shelf, right: Shelf) -> Bool {
      left.number == right.number && left.authors == right.authors && left.status == right.status
        && left.name == right.name
    }
  }

  struct Inner {
    struct Hidden: Codable, Equatable { var x: Int }

    @JSONCodable
    struct Deep: Equatable {
      var hidden: Hidden
      var isbn: ISBN?
    }
  }
}

struct Outer<Value: Equatable> {
  @JSONCodable
  struct Fixed: Equatable {
    var number: Int
    @CodableDefault([]) var list: [Int]
  }

  @JSONCodable
  struct Entry: Equatable {
    var value: Value
    var all: [Value]?
  }
}

extension Outer where Value: Codable {
  @JSONCodable
  struct Extended: Equatable {
    var value: Value
  }

  @JSONCodable
  enum Choice: Equatable {
    case one(Value), several([Value])
  }

  @JSONCodable
  final class Box: Equatable {
    let value: Value

    init(value: Value) { self.value = value }

    static func == (left: Box, right: Box) -> Bool { left.value == right.value }
  }
}

extension Library {
  @JSONCodable
  struct Extended: Equatable {
    var status: Status
    var author: Author?
  }
}
