import AnvilJSON
import FoundationEssentials

extension FuzzTarget {
  /// Numbers in every type, by the standard library's conversions of the same text.
  static let numbers = FuzzTarget(name: "numbers") { bytes in
    check(String(decoding: bytes, as: UTF8.self))
    check(String(decoding: characters(of: bytes), as: UTF8.self))
    checkEncoding(bytes)
  } growth: { bytes in
    for text in [bytes, characters(of: bytes)] {
      guard let json = try? JSON(parsing: text) else { continue }
      _ = (json.double, json.int, json.decimal, json.integer(as: Int128.self), json.integer(as: UInt64.self))
      _ = (json.hashValue, json == JSON(1), json == (try? JSON(parsing: text)), try? json.canonicalForm())
    }
  }

  /// Most bytes are not a number: converts the same bytes to characters of numbers.
  private static func characters(of bytes: [UInt8]) -> [UInt8] {
    let characters = Array("0123456789.e-+E0".utf8)
    return bytes.map { characters[Int($0 & 15)] }
  }

  private static func check(_ text: String) {
    guard case .number(let number)? = ReferenceParser.parse(Array(text.utf8)) else {
      let bytes = Array(text.utf8)
      guard let json = checkedParse(bytes), !isDetectedAsOtherEncoding(bytes) else { return }
      return require(json.kind != .number, "\(text) is no number")
    }
    let json = requireSuccess("refused") { () throws(JSON.SyntaxError) in try JSON(parsing: text) }
    require(json.numberText == number, "\(number) is kept as \(json.numberText ?? "nothing")")

    let double = Double(number)
    if let double, double.isFinite {
      require(json.double?.bitPattern == double.bitPattern, "\(number) is \(String(describing: json.double))")
    } else {
      require(json.double == nil, "\(number) is beyond doubles, not \(String(describing: json.double))")
    }
    let exact = ExactDecimal(number)
    checkInteger(Int8.self, json, exact)
    checkInteger(UInt8.self, json, exact)
    checkInteger(Int16.self, json, exact)
    checkInteger(Int.self, json, exact)
    checkInteger(UInt64.self, json, exact)
    checkInteger(Int128.self, json, exact)
    checkInteger(UInt128.self, json, exact)
    _ = json.decimal
    if let int = json.int { require(json == JSON(int), "\(number) differs from \(int)") }
    if let shifted = exact.rewritten {
      let same = requireSuccess("\(shifted) refused") { () throws(JSON.SyntaxError) in try JSON(parsing: shifted) }
      require(same.double == json.double, "\(number) and \(shifted) are different doubles")
      require(same == json, "\(number) differs from \(shifted)")
      require(same.hashValue == json.hashValue, "\(number) and \(shifted) have different hashes")
    }
    checkOutput(of: json)
  }

  private static func checkInteger<Value: FixedWidthInteger>(_ type: Value.Type, _ json: JSON, _ exact: ExactDecimal) {
    // The standard library says what fits: of digits without a fraction, if the number can be written as such.
    let expected = exact.integerText.flatMap { Value($0) }
    let found = json.integer(as: type)
    require(
      found == expected, "\(json) as \(type) is \(String(describing: found)), not \(String(describing: expected))")
  }

  /// The bytes as a double and as integers, written and read again.
  private static func checkEncoding(_ bytes: [UInt8]) {
    guard bytes.count >= 8 else { return }
    let bits = bytes.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    let double = Double(bitPattern: bits)
    guard double.isFinite else { return }
    require(JSON(double).double == double, "\(double) becomes \(JSON(double))")
    require(JSON(bits).integer(as: UInt64.self) == bits, "\(bits) becomes \(JSON(bits))")
    let encoder = JSON.Encoder()
    let floats = [double, Double(Int64(bitPattern: bits)), Double(bits % 1_000_000_000) / 1000]
    let written = requireSuccess("\(floats)") { try encoder.encode(floats) }
    let read = requireSuccess("\(floats) refused") { try JSON.Decoder().decode([Double].self, from: written) }
    require(read == floats, "\(floats) becomes \(read)")
  }
}
