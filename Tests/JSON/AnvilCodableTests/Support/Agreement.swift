import AnvilCodable
import Foundation
import Testing

/// The conformances that `@JSONCodable` adds to a type.
typealias Model = Decodable & Encodable & JSONReadable & JSONWritable & JSONDecodable

/// The coders of a test. Dates have one form that all ways to code share, unless a test asks for another.
struct Coders {
  let decoder = JSON.Decoder()
  let encoder = JSON.Encoder()
  let foundationDecoder = JSONDecoder()
  let foundationEncoder = JSONEncoder()

  init() {
    decoder.dateDecodingStrategy = .iso8601
    encoder.dateEncodingStrategy = .iso8601
    foundationDecoder.dateDecodingStrategy = .iso8601
    foundationEncoder.dateEncodingStrategy = .iso8601
  }

  /// A decoder like ``decoder`` that calls `init(from:)`.
  var containerDecoder: JSON.Decoder { decoder.withoutDirectPath }
  /// An encoder like ``encoder`` that calls `encode(to:)`.
  var containerEncoder: JSON.Encoder { encoder.withoutDirectPath }
}

extension CodingUserInfoKey {
  /// A key that no type looks up. Its presence makes coders use containers.
  fileprivate static let containersOnly: CodingUserInfoKey? = CodingUserInfoKey(rawValue: "AnvilCodableTests")
}

extension JSON.Decoder {
  /// A separate decoder with the same strategies that calls `init(from:)`.
  var withoutDirectPath: JSON.Decoder {
    let decoder = JSON.Decoder()
    decoder.dateDecodingStrategy = dateDecodingStrategy
    decoder.dataDecodingStrategy = dataDecodingStrategy
    decoder.keyDecodingStrategy = keyDecodingStrategy
    decoder.nonConformingFloatDecodingStrategy = nonConformingFloatDecodingStrategy
    decoder.parsingOptions = parsingOptions
    if let key = CodingUserInfoKey.containersOnly { decoder.userInfo[key] = true }
    return decoder
  }
}

extension JSON.Encoder {
  /// A separate encoder with the same strategies that calls `encode(to:)`.
  var withoutDirectPath: JSON.Encoder {
    let encoder = JSON.Encoder()
    encoder.outputFormatting = outputFormatting
    encoder.dateEncodingStrategy = dateEncodingStrategy
    encoder.dataEncodingStrategy = dataEncodingStrategy
    encoder.keyEncodingStrategy = keyEncodingStrategy
    encoder.nonConformingFloatEncodingStrategy = nonConformingFloatEncodingStrategy
    if let key = CodingUserInfoKey.containersOnly { encoder.userInfo[key] = true }
    return encoder
  }
}

/// Decodes in a context where the type is only known to be `Decodable`.
func decodeUnknown<T: Decodable>(_ type: T.Type, from data: Data, with decoder: JSON.Decoder) throws -> T {
  try decoder.decode(type, from: data)
}

/// Encodes in a context where the type is only known to be `Encodable`.
func encodeUnknown<T: Encodable>(_ value: T, with encoder: JSON.Encoder) throws -> Data { try encoder.encode(value) }

/// The ways to code a type that the type supports.
struct Ways: OptionSet {
  let rawValue: Int

  /// Property lists, which have no null.
  static let propertyList = Ways(rawValue: 1)
  /// Foundation's coders for JSON.
  static let foundation = Ways(rawValue: 2)
  static let all: Ways = [.propertyList, .foundation]
}

/// Checks that all ways to read and write a type agree.
struct Agreement<T: Model & Equatable> {
  let text: String
  let ways: Ways
  let sourceLocation: SourceLocation
  let coders = Coders()

  private func expect(_ value: T, equals other: T, _ way: String) {
    #expect(value == other, "\(way) of \(text)", sourceLocation: sourceLocation)
  }

  private func expect(_ json: JSON, equals other: JSON, _ way: String) {
    #expect(json == other, "\(way) of \(text)", sourceLocation: sourceLocation)
  }

  /// Reads the text in all ways and returns the value.
  func reading() throws -> T {
    let data = Data(text.utf8)
    let value = try JSON.read(T.self, from: text)
    expect(try decodeUnknown(T.self, from: data, with: coders.decoder), equals: value, "JSON.Decoder")
    expect(try decodeUnknown([T].self, from: Data("[\(text)]".utf8), with: coders.decoder)[0], equals: value, "array")
    expect(try coders.containerDecoder.decode(T.self, from: data), equals: value, "containers")
    if ways.contains(.foundation) {
      expect(try coders.foundationDecoder.decode(T.self, from: data), equals: value, "JSONDecoder")
    }
    expect(try T.decode(JSON(parsing: text)), equals: value, "decode(_:)")
    let mapped: T = try JSON(parsing: #"{"value": \#(text)}"#) => "value"
    expect(mapped, equals: value, "=>")
    if ways.contains(.propertyList) {
      for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        expect(
          try PropertyListDecoder().decode([T].self, from: encoder.encode([value]))[0], equals: value, "property list")
      }
    }
    return value
  }

  /// Writes `value` in all ways and returns its JSON value.
  func writing(_ value: T) throws -> JSON {
    let json = try JSON(parsing: JSON.write(value))
    let text = String(decoding: try encodeUnknown(value, with: coders.encoder), as: UTF8.self)
    let containerText = String(decoding: try coders.containerEncoder.encode(value), as: UTF8.self)
    #expect(text == containerText, "JSON.Encoder", sourceLocation: sourceLocation)
    expect(try JSON(parsing: text), equals: json, "JSON.Encoder")
    if ways.contains(.foundation) {
      expect(try JSON(parsing: coders.foundationEncoder.encode(value)), equals: json, "JSONEncoder")
    }
    expect(try JSON(encoding: value), equals: json, "JSON(encoding:)")
    expect(try JSON.read(T.self, from: JSON.write(value)), equals: value, "what was written")
    return json
  }
}

/// Reads `text` and writes the value in all ways; all have to agree.
///
/// - Parameters:
///   - expected: The value; any if it is `nil`.
///   - written: The JSON that is written; `text` if it is `nil`.
@discardableResult
func expectAgreement<T: Model & Equatable>(
  _ text: String, as type: T.Type = T.self, _ expected: T? = nil, writing written: String? = nil, by ways: Ways = .all,
  sourceLocation: SourceLocation = #_sourceLocation
) -> T? {
  do {
    let agreement = Agreement<T>(text: text, ways: ways, sourceLocation: sourceLocation)
    let value = try agreement.reading()
    if let expected { #expect(value == expected, sourceLocation: sourceLocation) }
    let json = try agreement.writing(value)
    #expect(json == (try JSON(parsing: written ?? text)), sourceLocation: sourceLocation)
    return value
  } catch {
    Issue.record("\(type) from \(text): \(error)", sourceLocation: sourceLocation)
    return nil
  }
}

/// Also uses the overloads of the coders for types with a direct path.
@discardableResult
func expectAgreement<T: Model & Equatable & JSONDirectlyDecodable & JSONDirectlyEncodable>(
  _ text: String, as type: T.Type = T.self, _ expected: T? = nil, writing written: String? = nil, by ways: Ways = .all,
  sourceLocation: SourceLocation = #_sourceLocation
) -> T? {
  func others<U: Model & Equatable>(_ type: U.Type, _ expected: U?) -> U? {
    expectAgreement(text, as: type, expected, writing: written, by: ways, sourceLocation: sourceLocation)
  }
  guard let value = others(type, expected) else { return nil }
  do {
    let coders = Coders()
    // The direct path is used, because it does not fail.
    #expect(try coders.decoder.decode(type, from: Data(text.utf8)) == value, sourceLocation: sourceLocation)
    #expect(
      try coders.encoder.encode(value) == coders.containerEncoder.encode(value), sourceLocation: sourceLocation)
  } catch {
    Issue.record("\(type) from \(text): \(error)", sourceLocation: sourceLocation)
  }
  return value
}

/// Expects every way to read `text` to fail, including Anvil's decoder with and without its direct path.
func expectFailure<T: Model & Equatable>(
  _ type: T.Type, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  let coders = Coders()
  let data = Data(text.utf8)
  #expect(throws: (any Error).self, sourceLocation: sourceLocation) { try JSON.read(type, from: text) }
  #expect(throws: (any Error).self, sourceLocation: sourceLocation) { try type.decode(JSON(parsing: text)) }
  #expect(throws: DecodingError.self, sourceLocation: sourceLocation) {
    try coders.foundationDecoder.decode(type, from: data)
  }
  let direct = Outcome { try decodeUnknown(type, from: data, with: coders.decoder) }
  let containers = Outcome { try decodeUnknown(type, from: data, with: coders.containerDecoder) }
  #expect(direct == containers, sourceLocation: sourceLocation)
  #expect(direct.isFailure, sourceLocation: sourceLocation)
}
