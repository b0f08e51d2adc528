#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The conversion of values of the tape to Swift types.
extension DecodingSession {
  @inline(__always)
  func bool(at index: Int) throws -> Bool {
    let word = tape[index]
    guard word.isBool else { throw mismatch(Bool.self, at: index) }
    return word.is(.true)
  }

  @inline(__always)
  func string(at index: Int) throws -> String {
    guard tape[index].isString else { throw mismatch(String.self, at: index) }
    return document.string(at: index)
  }

  @inline(__always)
  func integer<Value: FixedWidthInteger>(_ type: Value.Type, at index: Int) throws -> Value {
    guard let value = document.integer(at: index, as: type) else { throw unfitting(type, at: index) }
    return value
  }

  @inline(__always)
  func double(at index: Int) throws -> Double {
    guard let value = document.double(at: index) else { return try nonConforming(Double.self, at: index) }
    return value
  }

  @inline(never)
  func float(at index: Int) throws -> Float {
    guard let value = document.float(at: index) else { return try nonConforming(Float.self, at: index) }
    return value
  }

  @inline(never)
  private func nonConforming<Value: BinaryFloatingPoint>(_ type: Value.Type, at index: Int) throws -> Value {
    if tape[index].isString, case .convertFromString(let positive, let negative, let nan) = options.floats {
      switch document.string(at: index) {
      case positive: return .infinity
      case negative: return -.infinity
      case nan: return .nan
      default: break
      }
    }
    throw unfitting(type, at: index)
  }

  func date(at index: Int) throws -> Date {
    if tape[index].is(.null) { throw mismatch(Date.self, at: index) }
    guard let form = DateForm(options.dates) else {
      guard case .custom(let decode) = options.dates else { throw mismatch(Date.self, at: index) }
      return try decode(NodeDecoder(session: self, index: index))
    }
    return try date(as: form, at: index)
  }

  func data(at index: Int) throws -> Data {
    if tape[index].is(.null) { throw mismatch(Data.self, at: index) }
    switch options.data {
    case .deferredToData: return try Data(from: NodeDecoder(session: self, index: index))
    case .base64:
      guard let data = Data(base64Encoded: try string(at: index)) else {
        throw corrupted("Expected Base64.", at: index)
      }
      return data
    case .custom(let decode): return try decode(NodeDecoder(session: self, index: index))
    }
  }

  func url(at index: Int) throws -> URL {
    if tape[index].is(.null) { throw mismatch(URL.self, at: index) }
    guard let url = URL(string: try string(at: index)) else { throw corrupted("Expected a URL.", at: index) }
    return url
  }

  func decimal(at index: Int) throws -> Decimal {
    guard let decimal = document.decimal(at: index) else { throw unfitting(Decimal.self, at: index) }
    return decimal
  }

  /// Decodes a value of any type, directly if the type supports it, and otherwise with its initialiser.
  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type, at index: Int) throws -> T {
    if let shortcut = shortcut(for: type) { return try decode(shortcut, as: type, at: index) }
    // The metatype may be that of a subclass of `T`.
    return try type.init(from: NodeDecoder(session: self, index: index))
  }

  @inline(__always)
  private func decode<Direct: DirectlyDecodable, T>(_ direct: Direct.Type, as type: T.Type, at index: Int) throws -> T {
    let value = try direct.decode(by: self, at: index)
    // Safety: `direct` is `type` itself, which a cast has found to be directly decodable.
    assert(direct == type)
    return unsafe unsafeBitCast(value, to: type)
  }
}
