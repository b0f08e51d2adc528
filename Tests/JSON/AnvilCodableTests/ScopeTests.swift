import AnvilCodable
import Foundation
import Testing

/// Nested types, types with other access levels, and types that declare members which the macro generates.
@Suite struct ScopeTests {
  @Test func classesAreCoded() {
    expectAgreement(#"{"value": 1, "next": {"value": 2}}"#, Node(value: 1, next: Node(value: 2)))
    expectAgreement(#"{"value": 1, "next": null}"#, Node(value: 1), writing: #"{"value": 1}"#)
    expectAgreement(
      #"{"full_name": "a", "login": {"number": 1}}"#, Account(fullName: "a", loginID: 1, roles: ["user"]),
      writing: #"{"full_name": "a", "login": {"id": 1}, "roles": ["user"]}"#)
    expectAgreement(#"{"value": [1]}"#, Holder([1]))
    expectAgreement(#"{"value": {"value": "x"}, "others": []}"#, as: Holder<Holder<String>>.self)
    expectAgreement(#"{"title": "x", "pages": 1}"#, OpenBook(title: "x", pages: 1))
    for text in ["{}", "[]", "null", #"{"value": 1, "next": {}}"#] { expectFailure(Node.self, text) }
  }

  @Test func nestedTypesCanUseNamesOfTheOuterScope() {
    let book = Library.Book(
      isbn: "1", shelf: 7, authors: [], title: "a", subtitle: nil, status: .free, former: .lent, other: nil,
      related: nil)
    expectAgreement(
      #"{"isbn": "1", "title": "A", "state": "free"}"#, book,
      writing: #"{"isbn": "1", "shelf": 7, "authors": [], "title": "A", "status": "free", "former": "lent"}"#)
    expectAgreement(
      #"{"isbn": "1", "shelf": 2, "authors": [{"name": "x", "age": 3, "city": "y"}], "title": "A", "subtitle": "B", "status": "other", "former": "free", "a": {"b": "2"}, "related": []}"#,
      as: Library.Book.self)
    expectAgreement(
      #"{"type": "magazine", "isbn": "1", "status": "lent"}"#, Library.Item.magazine(isbn: "1", status: .lent))
    expectAgreement(
      #"{"number": 1, "name": "X"}"#, Library.Shelf(number: 1, name: "x"),
      writing: #"{"number": 1, "name": "X", "authors": []}"#)
    expectAgreement(#"{"hidden": {"x": 1}, "isbn": "2"}"#, as: Library.Inner.Deep.self)
    expectAgreement(#"{"number": 1, "list": [2]}"#, Outer<String>.Fixed(number: 1, list: [2]))
    expectAgreement(#"{"status": "free", "author": {"name": "x"}}"#, as: Library.Extended.self)
  }

  @Test func privateTypesAndPropertiesAreCoded() {
    hiddenTypesAgree()
    Vault.doorsAgree()
    expectAgreement(#"{"secret": "open", "second": "shut", "third": "open", "width": 1}"#, as: Vault.Window.self)
  }

  @Test func publicTypesAreCoded() {
    expectAgreement(
      #"{"id": 1, "name": "x", "kind": "user", "tags": []}"#, PublicModel(id: 1, name: "x", kind: .user, tags: []))
    expectAgreement(#"{"id": 1, "part": {"id": 2, "side": "left"}}"#, as: PackageModel.self)
    expectAgreement(#"{"b": {"_0": 1}}"#, PublicEnum.b(1))
    expectAgreement(#"{"id": 1}"#, as: PublicModel.Extended.self)
    expectAgreement(#"{"a": 1}"#, InternalOuter.Inner(a: 1))
    expectAgreement(#"{"value": "x"}"#, InternalOuter.Generic(value: "x"))
    expectAgreement(#"{"b": {"_0": 1}}"#, PublicModel.Choice.b(1))
  }

  @Test func initializersOfTheTypeStayAsTheyAre() {
    expectAgreement(#"{"degrees": 1.5}"#, Celsius(degrees: 1.5), writing: #"{"degrees": 1.5, "unit": "C"}"#)
    #expect(User(id: 1, name: "", tags: [], company: nil) == User(id: 1, name: "", tags: []))
  }

  @Test func codableUsesTheTypesOwnImplementations() throws {
    #expect(try JSON.Decoder().decode(Clamped.self, from: #"{"value": -1}"#).value == 0)
    #expect(try JSONDecoder().decode(Clamped.self, from: Data(#"{"value": -1}"#.utf8)).value == 0)
    #expect(try JSON.read(Clamped.self, from: #"{"value": -1}"#).value == 0)
    #expect(try Clamped.decode(["value": -1]).value == 0)
    #expect(try JSON(parsing: JSON.Encoder().encode(Stamped(value: 1))) == ["value": 2])
    #expect(try JSON(parsing: JSONEncoder().encode(Stamped(value: 1))) == ["value": 2])
    #expect(try JSON(parsing: JSON.write(Stamped(value: 1))) == ["value": 2])
    #expect(try JSON(encoding: Stamped(value: 1)) == ["value": 2])
  }

  /// Also as members of models that are coded on the direct path.
  @Test func membersUseTheirOwnImplementations() throws {
    let text = #"{"one": {"value": -1}, "some": {"value": -2}, "list": [{"value": -3}], "map": {"a": {"value": -4}}}"#
    let zero = Clamped(value: 0)
    let clamped = Clamps(one: zero, some: zero, list: [zero], map: ["a": zero])
    #expect(try JSON.read(Clamps.self, from: text) == clamped)
    #expect(try JSON.Decoder().decode(Clamps.self, from: text) == clamped)
    #expect(try JSON.Decoder().withoutDirectPath.decode(Clamps.self, from: text) == clamped)
    #expect(try JSONDecoder().decode(Clamps.self, from: Data(text.utf8)) == clamped)
    #expect(try Clamps.decode(JSON(parsing: text)) == clamped)
    let stamped = Stamps(one: Stamped(value: 1), list: [Stamped(value: 2)])
    let written = #"{"one":{"value":2},"list":[{"value":3}]}"#
    #expect(String(decoding: try JSON.write(stamped), as: UTF8.self) == written)
    #expect(String(decoding: try JSON.Encoder().encode(stamped), as: UTF8.self) == written)
    #expect(String(decoding: try JSON.Encoder().withoutDirectPath.encode(stamped), as: UTF8.self) == written)
    #expect(try JSON(encoding: stamped).serializedText() == written)
    #expect(try JSON(parsing: JSONEncoder().encode(stamped)) == JSON(parsing: written))
  }

  @Test func functionsOfOtherCodersAreNotTheTypesCoding() throws {
    expectAgreement(#"{"date": 3}"#, Exported(date: Date(timeIntervalSince1970: 3)))
  }

  @Test func declaredCodingKeysAreUsed() {
    expectAgreement(
      #"{"ID": 1, "name": "x", "unknown": 5}"#, Keyed(id: 1, name: "x"), writing: #"{"ID": 1, "name": "x"}"#)
    expectAgreement(#"{"id": 1}"#, Declared(id: 1))
    expectAgreement(#"{"x": 1, "y": 2, "w": 3}"#, Mixed(x: 1, y: 2, w: 3))
  }

  @Test func typesCanBeOnlyDecodableOrOnlyEncodable() throws {
    let text = #"{"id":1,"date":2}"#
    let value = OnlyDecodable(id: 1, date: Date(timeIntervalSince1970: 2))
    #expect(try JSON.read(OnlyDecodable.self, from: text) == value)
    #expect(try JSON.Decoder().decode(OnlyDecodable.self, from: text) == value)
    #expect(try JSON.Decoder().withoutDirectPath.decode(OnlyDecodable.self, from: text) == value)
    #expect(try OnlyDecodable.decode(JSON(parsing: text)) == value)
    let written = OnlyEncodable(id: 1, date: Date(timeIntervalSince1970: 2))
    #expect(String(decoding: try JSON.write(written), as: UTF8.self) == text)
    #expect(String(decoding: try JSON.Encoder().encode(written), as: UTF8.self) == text)
    #expect(try JSON(encoding: written) == JSON(parsing: text))
    #expect(try JSON.read(OnlyDecodableEnum.self, from: #"{"b":{"_0":1}}"#) == .b(1))
    #expect(String(decoding: try JSON.Encoder().encode(OnlyEncodableEnum.b(1)), as: UTF8.self) == #"{"b":{"_0":1}}"#)
    #expect(try JSON.Decoder().decode(OnlyDecodableClass.self, from: text).id == 1)
    #expect(try JSON(parsing: JSON.Encoder().encode(OnlyEncodableClass(id: 1))) == ["id": 1])
  }
}
