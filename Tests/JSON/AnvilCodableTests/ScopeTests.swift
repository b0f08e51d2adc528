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
    expectAgreement(#"{"value": 1, "next": {"value": 2}}"#, as: Holder<Int>.self)
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
    expectAgreement(#"{"value": "a", "all": ["b"]}"#, Outer<String>.Entry(value: "a", all: ["b"]))
    expectAgreement(#"{"value": "a"}"#, Outer<String>.Extended(value: "a"))
    expectAgreement(#"{"several": {"_0": ["a"]}}"#, Outer<String>.Choice.several(["a"]))
    expectAgreement(#"{"value": "a"}"#, Outer<String>.Box(value: "a"))
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

  @Test func membersMayHaveTheNamesOfTypes() {
    let address = Address(city: "x")
    let date = Date(timeIntervalSince1970: 1)
    let full =
      #"{"Status": "active", "Address": {"city": "x"}, "Other": "closed", "Colors": ["active"], "all": {"a": {"city": "x"}}, "Date": 1, "dates": [1], "nested": {"Status": "closed"}}"#
    expectAgreement(
      full,
      Titled(
        Status: .active, Address: address, Other: .closed, Colors: [.active], all: ["a": address], Date: date,
        dates: [date], when: nil, nested: .closed))
    expectAgreement(
      #"{"status": "active", "address": {"city": "x"}, "list": [1]}"#,
      Described(status: .active, address: address, list: [1]))
    expectAgreement(#"{"Status": "closed", "TitledClass": 1}"#, TitledClass(Status: .closed, TitledClass: 1))
    #expect((try? JSON.read(TitledDecodable.self, from: #"{"Status": "closed", "id": 1}"#))?.Status == .closed)
    expectAgreement(#"{"Status": {"_0": "active"}}"#, TitledEnum.Status(.active))
    expectAgreement(
      #"{"Address": {"Address": {"city": "x"}, "Status": "closed"}}"#,
      TitledEnum.Address(Address: address, Status: .closed))
    expectAgreement(#"{"TitledEnum": {}}"#, TitledEnum.TitledEnum)
    expectAgreement(#"{"type": "Address", "city": "x"}"#, TitledTagged.Address(address))
    expectAgreement(#"{"type": "Status", "x": "closed"}"#, TitledTagged.Status(x: .closed))
    expectAgreement(#"{"type": "new", "x": 1}"#, TitledTagged.JSON(["type": "new", "x": 1]))
    expectAgreement(#"{"Status": "closed"}"#, TitledExternal.Status(.closed))
    expectAgreement(#""TitledExternal""#, TitledExternal.TitledExternal)
  }

  @Test func namesMayDifferInTheCaseOfTheirFirstLetterOnly() {
    expectAgreement(
      #"{"id": 1, "Id": "a", "first": "b", "limit": 3}"#,
      SharedNames.Letters(id: 1, Id: "a", first: "b", limit: 3))
    expectAgreement(
      #"{"id": 1, "Id": "a", "first": "b"}"#,
      SharedNames.Letters(id: 1, Id: "a", first: "b", limit: 5),
      writing: #"{"id": 1, "Id": "a", "first": "b", "limit": 5}"#)
    expectAgreement(
      #"{"a-b": [2], "a_2d_b": ["y"], "c-d": {"x": 1}, "c_2d_d": {"x": 2}}"#,
      SharedNames.Raw(`a-b`: [2], a_2d_b: ["y"], first: 1, second: 2))
    expectAgreement(
      #"{"o": {"a": 1}, "O": {"a": 2}, "o_": {"a": 3}, "OKeys": 4, "o_members": 5}"#,
      KeyNames(first: 1, second: 2, third: 3, OKeys: 4, o_members: 5))
    expectAgreement(#"{"id": {"x": 1}}"#, LetterCases.id(x: 1))
    expectAgreement(#"{"Id": {"y": 1}}"#, LetterCases.Id(y: 1))
    expectAgreement(#"{"other": {"x": 1}}"#, LetterCases.id2(x: 1), writing: #"{"id2": {"x": 1}}"#)
    expectAgreement(#"{"more": {"x": 1}}"#, LetterCases.id2_2(x: 1), writing: #"{"id2_2": {"x": 1}}"#)
    expectAgreement(#"{"type": "id", "x": 1}"#, TaggedLetters.id(x: 1))
    expectAgreement(#"{"type": "Id", "y": 1}"#, TaggedLetters.Id(y: 1))
    expectAgreement(#"{"type": "Id", "c": {"y": 1}}"#, AdjacentLetters.Id(y: 1))
    expectAgreement(#"{"Id": {"y": 1}}"#, ExternalLetters.Id(y: 1))
  }

  @Test func typesMayBePrivateToTheModel() throws {
    expectAgreement(#"{"kind": "a", "other": "b"}"#, as: PrivateTypes.Model.self)
    let written = try JSON.write(JSON.read(PrivateTypeClass.self, from: "{}"))
    #expect(String(decoding: written, as: UTF8.self) == #"{"kind":"b"}"#)
  }

  @Test func storedPropertiesMayHaveInitAccessors() {
    expectAgreement(#"{"a": 1, "b": 2}"#, InitAccessor(a: 1, b: 2))
  }

  /// As without the macro, initial values do not use the parameters of the memberwise initialiser.
  @Test func initialValuesUseStaticMembers() throws {
    let values = InitialValues(now: 5)
    #expect(values.later == 2 && values.many == [1] && values.id == "new")
    #expect(values.limit == 7 && values.level == 7 && values.cached == 8)
    let read = try JSON.read(
      InitialValues.self, from: #"{"now": 5, "later": 6, "many": [], "id": "a", "limit": 1}"#)
    #expect(read.level == 7 && read.cached == 8)
    #expect(InitialValues(now: 5, later: 3, limit: 2, level: 1).level == 1)
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
    expectAgreement(#"{"ID": 1}"#, as: SelfCoded.self)
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
