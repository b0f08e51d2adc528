import Foundation
import Testing

@testable import AnvilDiagnosis
@testable import AnvilJSON

/// The codes, strategies and hints of single problems.
@Suite struct DiagnosisTests {
  private func problem(
    of text: String, decoder: JSON.Decoder? = nil, _ decode: (Data) throws -> Void
  ) throws -> JSON.Diagnosis.Problem {
    let data = Data(text.utf8)
    let error = try #require(throws: (any Error).self) { try decode(data) }
    return try #require(JSON.Diagnosis(error, in: data, decoder: decoder).problems.first)
  }

  @Test func strategiesAreStatedForAKnownDecoder() throws {
    struct User: Codable { var fullName: String }
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let text = "{}"
    let known = try problem(of: text, decoder: decoder) { _ = try decoder.decode(User.self, from: $0) }
    #expect(known.strategies == ["keyDecodingStrategy = .convertFromSnakeCase"])
    let unknown = try problem(of: text) { _ = try decoder.decode(User.self, from: $0) }
    #expect(unknown.strategies == [])
  }

  @Test(arguments: [("{a: 'x'}", "/a", 4), ("{b: 1, /* c */ a: [1,],}", "/a", 18), ("// c\n{a: [+.5]}", "/a", 9)])
  func errorsOfFoundationAreLocatedInJSON5(text: String, pointer: String, offset: Int) throws {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    struct Model: Decodable { let a: Int }
    let found = try problem(of: text) { _ = try decoder.decode(Model.self, from: $0) }
    #expect(found.pointer.description == pointer)
    #expect(found.location.offset == offset)
  }

  @Test func mappedValuesOfTheRightKindAreOutOfRangeOrInvalid() throws {
    let number = try problem(of: #"{"a":300}"#) { let _: Int8 = try JSON(parsing: $0) => "a" }
    #expect(number.code == .numberOutOfRange)
    let date = try problem(of: #"{"a":"soon"}"#) { let _: Date = try JSON(parsing: $0) => "a" }
    #expect(date.code == .invalidValue)
  }

  @Test func elementsAreLocatedInAnyOrderAndOnlyIfTheyExist() {
    var locator = ValueLocator(SourceText(Array("[1, 22, 333]".utf8)))
    for (index, offset) in [(3, nil), (3, nil), (1, 4), (2, 8), (0, 1), (4, nil), (2, 8), (3, nil)] {
      let found = locator.beginning(at: [.index(index)])
      #expect((found?.depth == 1 ? found?.token.range.lowerBound : nil) == offset, "\(index)")
    }
  }

  @Test(arguments: [
    ("<?xml version=\"1.0\"?><a/>", "this is XML"), ("<a/>", "this looks like HTML or XML"),
    ("<!DOCTYPE html>", "this is HTML: a page instead of data"), ("%PDF-1.7", "this is a PDF document"),
    ("bplist00", "this is a binary property list"), (" \n", "the text contains only white space"),
  ])
  func otherFormatsAreNamed(text: String, hint: String) throws {
    #expect(try problem(of: text) { _ = try JSON(parsing: $0) }.hints == [hint])
  }

  @Test(arguments: ["id: 1", "[id: 1]", "{} id: 1", "1\nid: 1"]) func keysOutsideOfObjectsNeedMoreThanQuotationMarks(
    text: String
  ) throws {
    let hints = try problem(of: text) { _ = try JSON(parsing: $0) }.hints
    #expect(!hints.contains { $0.contains("quotation marks around keys") })
  }
}
