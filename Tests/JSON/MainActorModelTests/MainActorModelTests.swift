import AnvilBase
import AnvilCodable
import AnvilSQLite
import AnvilStore
import Foundation
import Testing

// This module has the setting of new app projects: its declarations belong to the main actor unless they say otherwise.

@JSONCodable @CodableNaming(.snakeCase)
struct Person: Equatable, DecoderUpdatable {
  var id: Int
  @CodableDefault([]) var nickNames: [String]
  var home: Address?
  var role: Role
  @CodableIgnored var note = ""

  @JSONCodable
  struct Address: Equatable {
    @CodingKey("geo", "city") var city: String
    @CodableDefault(Role.user) var owner: Role
  }
}

@JSONCodable
enum Role: String { case admin, user }

@JSONCodable @JSONTagged(by: "type")
enum Shape: Equatable {
  case circle(radius: Double), dot
  case person(Person)
}

/// A class that says that it belongs to the main actor is coded only there.
@JSONCodable @MainActor
final class Settings {
  static var standardSize = 3

  var name: String
  @CodableDefault(standardSize) private(set) var size: Int
  @CodableBy(.secondsSince1970) var date: Date?
  var parent: Settings?

  init(name: String) { (self.name, size) = (name, 1) }
}

/// Another class must say that it does not belong to the main actor: its variables would.
@JSONCodable
nonisolated final class Account {
  var name: String
  var shape: Shape?

  init(name: String) { self.name = name }
}

@JSONCodable @StoredModel
struct Note: Equatable {
  @MatchKey var id: Int
  @Column("body") var text: String
  var author: Person?
}

@Suite struct MainActorModelTests {
  @Test @concurrent nonisolated func modelsAreCodedOutsideOfTheMainActor() async throws {
    let text =
      #"{"id":1,"nick_names":["a"],"home":{"geo":{"city":"x"},"owner":"admin"},"role":"user"}"#
    let person = try JSON.Decoder().decode(Person.self, from: text)
    #expect(person.home == .init(city: "x", owner: .admin))
    #expect(String(decoding: try JSON.Encoder().encode(person), as: UTF8.self) == text)
    #expect(try JSONDecoder().decode(Person.self, from: Data(text.utf8)) == person)
    #expect(try JSON.Decoder().update(person, from: Data(#"{"id":2}"#.utf8)).id == 2)
    let account = try JSON.read(Account.self, from: #"{"name":"a","shape":{"type":"circle","radius":1}}"#)
    #expect(account.shape == .circle(radius: 1))
  }

  @Test func classesOfTheMainActorAreCodedThere() throws {
    let text = #"{"name":"a","size":3,"date":5,"parent":{"name":"b","size":1}}"#
    let settings = try JSON.read(Settings.self, from: #"{"name":"a","date":5,"parent":{"name":"b","size":1}}"#)
    #expect(try String(decoding: JSON.write(settings), as: UTF8.self) == text)
    #expect(String(decoding: try JSON.Encoder().encode(settings), as: UTF8.self) == text)
    #expect(try JSON.Decoder().decode([Settings].self, from: "[\(text)]")[0].parent?.name == "b")
    #expect(try JSONDecoder().decode(Settings.self, from: Data(text.utf8)).date == Date(timeIntervalSince1970: 5))
    let mapped: Settings = try JSON(parsing: #"{"a":\#(text)}"#) => "a"
    #expect(mapped.size == 3)
  }

  @Test @concurrent nonisolated func modelsAreStoredOutsideOfTheMainActor() async throws {
    let store = try await Store(.inMemory)
    let note = Note(id: 1, text: "t", author: nil)
    try await store.context.save(note)
    #expect(try await store.context.fetch(Note.self, where: \.text == "t") == [note])
    await store.close()
  }
}
