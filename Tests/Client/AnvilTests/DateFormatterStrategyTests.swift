import Anvil
import Foundation
import Testing

private struct Birth: Codable, Equatable {
  var day: Date
  var other: Date?
}

private struct Person: JSONDecodable, Equatable {
  static let format = DateFormatter.day
  var born: Date
  var died: Date?

  static func decode(_ json: JSON) throws -> Person {
    try Person(
      born: json => ("born", .date(.day)), died: json =>? ("died", .date(.day)))
  }
}

extension DateFormatter {
  fileprivate static let day: DateFormatter = {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "dd.MM.yyyy"
    return formatter
  }()
}

@Suite struct DateFormatterStrategyTests {
  private let birth = Birth(day: Date(timeIntervalSince1970: 1_795_219_200), other: nil)
  private let text = #"{"day":"21.11.2026"}"#

  @Test func codersAcceptFormattersLikeFoundations() throws {
    let decoder = JSON.Decoder()
    decoder.dateDecodingStrategy = .formatted(.day)
    let encoder = JSON.Encoder()
    encoder.dateEncodingStrategy = .formatted(.day)
    #expect(try decoder.decode(Birth.self, from: Data(text.utf8)) == birth)
    #expect(try String(decoding: encoder.encode(birth), as: UTF8.self) == text)
    #expect(try decoder.decode([Date].self, from: encoder.encode([birth.day])) == [birth.day])
    let theirs = JSONEncoder()
    theirs.dateEncodingStrategy = .formatted(.day)
    #expect(try encoder.encode(birth) == theirs.encode(birth))
  }

  @Test(arguments: [#"{"day": "x"}"#, #"{"day": 1}"#, #"{"day": null}"#, #"{"day": "21.11.2026", "other": "x"}"#, "{}"])
  func errorsEqualFoundations(text: String) {
    let ours = JSON.Decoder()
    ours.dateDecodingStrategy = .formatted(.day)
    let theirs = JSONDecoder()
    theirs.dateDecodingStrategy = .formatted(.day)
    func outcome(_ decode: () throws -> Birth) -> String {
      do {
        return "\(try decode())"
      } catch DecodingError.dataCorrupted(let context) {
        return "corrupted \(context.codingPath.map(\.stringValue)) \(context.debugDescription)"
      } catch DecodingError.typeMismatch(let type, let context) {
        return "mismatch \(type) \(context.codingPath.map(\.stringValue))"
      } catch DecodingError.valueNotFound(let type, let context) {
        return "null \(type) \(context.codingPath.map(\.stringValue))"
      } catch DecodingError.keyNotFound(let key, let context) {
        return "missing \(key.stringValue) \(context.codingPath.map(\.stringValue))"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      outcome { try ours.decode(Birth.self, from: Data(text.utf8)) }
        == outcome { try theirs.decode(Birth.self, from: Data(text.utf8)) })
  }

  @Test func mappingAcceptsFormattersPerCall() throws {
    let person = try Person.decode(JSON(parsing: #"{"born": "10.12.1815", "died": "27.11.1852"}"#))
    #expect(person.born == Date(timeIntervalSince1970: -4_861_728_000))
    let dates: [Date] = try JSON(parsing: #"["21.11.2026"]"#) => ([], .array(of: .date(.day)))
    #expect(dates == [birth.day])
    let error = #expect(throws: TypeMismatchError.self) { try Person.decode(["born": "x"]) }
    #expect(error?.description == #"TypeMismatchError at object.born: expected Date, found string in "x""#)
  }

  @Test func formattersCanBeUsedConcurrently() async throws {
    let decoder = JSON.Decoder()
    decoder.dateDecodingStrategy = .formatted(.day)
    let (text, birth) = (text, birth)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try (0..<200).allSatisfy { _ in try decoder.decode(Birth.self, from: Data(text.utf8)) == birth }
        }
      }
      for try await isSame in group { #expect(isSame) }
    }
  }
}
