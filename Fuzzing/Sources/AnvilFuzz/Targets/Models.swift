import AnvilBase
import AnvilCodable
import AnvilDiagnosis
import AnvilJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FuzzTarget {
  /// Any text into models of macros: the direct path accepts what containers accept, and reads the same value.
  static let models = FuzzTarget(name: "models", repeated: .elements) { bytes in
    check(MacroRecord.self, bytes)
    check(MacroShape.self, bytes)
    check(MacroFilter.self, bytes)
    check(MacroReadings.self, bytes)
    check([MacroNode?].self, bytes)
    check(MacroMessage.self, bytes)
    check(MacroStrategies.self, bytes)
    check(MacroLenient.self, bytes)
    checkUpdate(bytes)
  } growth: { bytes in
    _ = try? JSON.read([MacroRecord].self, from: bytes)
    _ = try? JSON.read([MacroShape].self, from: bytes)
  }

  private static let containers: JSON.Decoder = {
    let decoder = JSON.Decoder()
    if let key = CodingUserInfoKey(rawValue: "containers") { decoder.userInfo[key] = true }
    return decoder
  }()

  /// An update on the direct path has the result of one with containers.
  private static func checkUpdate(_ bytes: [UInt8]) {
    let old = MacroAccount(
      id: 1, name: "a", tags: ["b"], site: "c", record: MacroReadings(reading1Value: 1, reading1ValueUnit: "m"))
    let updated = try? JSON.Decoder().update(old, from: Data(bytes))
    let expected = try? containers.update(old, from: Data(bytes))
    require(
      updated == expected, "updated to \(String(describing: updated)), containers \(String(describing: expected))")
  }

  private static func check<T: Equatable & JSONDirectlyDecodable & JSONDirectlyEncodable>(
    _ type: T.Type, _ bytes: [UInt8]
  ) {
    let expected = try? containers.decode(type, from: Data(bytes))
    if let value = try? JSON.read(type, from: bytes) {
      require(value == expected, "\(type): read \(value), containers \(String(describing: expected))")
      let written = requireSuccess("writing \(value)") { try JSON.write(value) }
      require((try? JSON.read(type, from: written)) == value, "\(type): wrote \(value) as another value")
    }
    require(
      (try? JSON.Decoder().decode(type, from: Data(bytes))) == expected, "\(type): the decoder reads another value")
  }
}

@JSONCodable @CodableNaming(.snakeCase)
private struct MacroRecord: Equatable {
  var id: Int
  var fullName: String?
  @CodableDefault([]) var tags: [String]
  @CodingKey("owner", "login") @CodableAlias("nick") var owner: String
  @CodingKey("owner", "site") var site: Bool?
  @CodableBy(.text(of: Int8.self)) var code: Int8?
  var rest: JSON?
}

@JSONCodable @JSONTagged(by: "type")
private enum MacroShape: Equatable {
  case circle(radius: Int)
  case record(MacroRecord)
  case group(shapes: [MacroShape], name: String?)
  @CodableUnknown case other(JSON)
}

@JSONCodable @JSONTagged
private enum MacroFilter: Equatable {
  case all
  case named(String)
  case newer(than: Int, by: UInt8?)
  case any([MacroFilter])
}

/// Keys of 15, 16, 20 and 25 bytes. Readers compare keys in words of eight bytes.
@JSONCodable @CodableNaming(.snakeCase)
private struct MacroReadings: Equatable {
  var reading1Value: Int?
  var reading2Value: Int?
  var reading1Values: Int?
  var reading1ValueUnit: String?
  var reading1ValueInMetres: Int?
}

@JSONCodable
private final class MacroNode: Equatable {
  let value: Int
  let next: MacroNode?

  init(value: Int, next: MacroNode?) {
    self.value = value
    self.next = next
  }

  static func == (left: MacroNode, right: MacroNode) -> Bool { left.value == right.value && left.next == right.next }
}

@JSONCodable @JSONTagged(by: "t", content: "c")
private enum MacroMessage: Equatable {
  case ping
  case text(String)
  case move(x: Int, y: Int?)
  case maybe(Int?)
  @CodableAlias("list") case many([MacroMessage])
  @CodableUnknown case other(JSON)
}

@JSONCodable
private struct MacroStrategies: Equatable {
  @CodableBy(.iso8601) var iso: Date?
  @CodableBy(.secondsSince1970) var seconds: Date?
  @CodableBy(.millisecondsSince1970) var dates: [Date]?
  @CodableBy(.base64) var data: Data?
  var uuid: UUID?
  var url: URL?
}

@JSONCodable
private struct MacroLenient: Equatable {
  enum State: String { case on, off }

  @LossyArray var list: [MacroReadings]
  @NumberOrString var number: Int
  @NumberOrString var optional: Double?
  @CodableDefault(0) @NumberOrString var zero: Int
  var state: OpenEnum<State>?
}

@JSONCodable
private struct MacroAccount: Equatable, DecoderUpdatable {
  var id: Int
  var name: String?
  @CodableDefault([]) var tags: [String]
  @CodingKey("owner", "site") @CodableAlias("nick") var site: String?
  var record: MacroReadings
  @CodableIgnored var note = "n"
}
