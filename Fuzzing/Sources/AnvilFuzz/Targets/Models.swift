import AnvilCodable

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
  } growth: { bytes in
    _ = try? JSON.read([MacroRecord].self, from: bytes)
    _ = try? JSON.read([MacroShape].self, from: bytes)
  }

  private static func check<T: Equatable & JSONDirectlyDecodable & JSONDirectlyEncodable>(
    _ type: T.Type, _ bytes: [UInt8]
  ) {
    let containers = JSON.Decoder()
    if let key = CodingUserInfoKey(rawValue: "containers") { containers.userInfo[key] = true }
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
