public import AnvilBase
import Foundation
import Testing

extension Data: DecoderUpdatable {}
extension Date: DecoderUpdatable {}
extension Decimal: DecoderUpdatable {}
extension URL: DecoderUpdatable {}

/// Foundation types that are declared updatable. They are replaced, because only the format knows their representation.
@Suite struct UpdateFoundationTypeTests {
  private struct Holder<Value: Codable & DecoderUpdatable>: Codable, DecoderUpdatable {
    var value: Value
  }

  private func updated<Value: Codable & DecoderUpdatable>(_ value: Value, _ json: String) throws -> Value {
    try SampleFormat.anvil.update(Holder(value: value), #"{"value": \#(json)}"#).value
  }

  @Test func urlIsReplaced() throws {
    let url = try #require(URL(string: "https://example.com/a"))
    #expect(try updated(url, #""https://example.com/b""#) == URL(string: "https://example.com/b"))
  }

  @Test func decimalIsReplaced() throws {
    #expect(try updated(Decimal(1), "0.1234567890123456789") == Decimal(string: "0.1234567890123456789"))
  }

  @Test func dateIsReplaced() throws {
    #expect(try updated(Date(timeIntervalSinceReferenceDate: 1), "2") == Date(timeIntervalSinceReferenceDate: 2))
  }

  @Test func dataIsReplaced() throws {
    #expect(try updated(Data([1]), #""Ag==""#) == Data([2]))
  }
}
