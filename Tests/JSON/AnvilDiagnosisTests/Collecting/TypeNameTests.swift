import Foundation
import Testing

@testable import AnvilDiagnosis
@testable import AnvilJSON

private struct Hidden {
  enum CodingKeys: CodingKey { case a }
  struct Inner {}
}

struct OuterGeneric<Value> {
  struct Inner {}
  struct Pair<Other> {}
}

@Suite struct TypeNameTests {
  private struct Secret {}
  struct Open {
    enum CodingKeys: CodingKey { case a }
    enum Keys: CodingKey { case a }
  }

  @Test func modulesAreLeftOut() {
    #expect(TypeName.of(Int.self) == "Int")
    #expect(TypeName.of(NumberOrString<Int?>.self) == "Int?")
    #expect(TypeName.of([String: Attempt<LossyArray<URL>, ElementPart>].self) == "[String: [URL]]")
    #expect(TypeName.of(URL.self) == "URL")
    #expect(TypeName.of(Date.self) == "Date")
    #expect(TypeName.of(JSON.Decoder.self) == "JSON.Decoder")
    #expect(TypeName.of(Open.self) == "TypeNameTests.Open")
  }

  @Test func privateTypesAreNamedWithoutTheirContext() {
    #expect(TypeName.of(Hidden.self) == "Hidden")
    #expect(TypeName.of(Hidden.Inner.self) == "Hidden.Inner")
    #expect(TypeName.of(Secret.self) == "TypeNameTests.Secret")
    #expect(TypeName.of([Secret?].self) == "[TypeNameTests.Secret?]")
  }

  @Test func localTypesHaveTheirNames() {
    struct Local { struct Inner {} }
    #expect(TypeName.of(Local.self) == "TypeNameTests.Local")
    #expect(TypeName.of(Local.Inner.self) == "TypeNameTests.Local.Inner")
    #expect(TypeName.of([String: Local].self) == "[String: TypeNameTests.Local]")
  }

  @Test func collectionsAreWrittenAsInCode() {
    #expect(TypeName.of([Int].self) == "[Int]")
    #expect(TypeName.of([[Int?]]?.self) == "[[Int?]]?")
    #expect(TypeName.of([String: [Int]].self) == "[String: [Int]]")
    #expect(TypeName.of(Set<Int>.self) == "Set<Int>")
    #expect(TypeName.of(Result<Int, any Error>.self) == "Result<Int, Error>")
  }

  @Test func genericTypesHaveTheirArguments() {
    #expect(TypeName.of(OuterGeneric<Int>.self) == "OuterGeneric<Int>")
    #expect(TypeName.of(OuterGeneric<[Open]>.Inner.self) == "OuterGeneric<[TypeNameTests.Open]>.Inner")
    #expect(TypeName.of(OuterGeneric<Int>.Pair<String>.self) == "OuterGeneric<Int>.Pair<String>")
    #expect(TypeName.of(OuterGeneric<OuterGeneric<Int>.Inner>.self) == "OuterGeneric<OuterGeneric<Int>.Inner>")
    #expect(
      TypeName.of(KeyedDecodingContainer<Open.CodingKeys>.self)
        == "KeyedDecodingContainer<TypeNameTests.Open.CodingKeys>")
  }

  @Test func unnamedTypesAreWrittenAsByTheStandardLibrary() {
    #expect(TypeName.of((Int, String).self) == "(Int, String)")
    #expect(TypeName.of((any Decodable).self) == "Decodable")
    #expect(TypeName.of([(Int, String)].self) == "Array<(Int, String)>")
    #expect(TypeName.of((any Swift.Decoder).self) == "Decoder")
    #expect(TypeName.of(((Int) -> Bool).self) == "(Int) -> Bool")
  }

  @Test func modelOfACodingKeyIsTheEnclosingType() {
    #expect(TypeName.model(ofKey: Open.CodingKeys.a) == "TypeNameTests.Open")
    #expect(TypeName.model(ofKey: Open.Keys.a) == "TypeNameTests.Open")
    #expect(TypeName.model(ofKey: Hidden.CodingKeys.a) == "Hidden")
    #expect(TypeName.model(ofKey: DecodingKey(stringValue: "a")) == nil)
  }
}
