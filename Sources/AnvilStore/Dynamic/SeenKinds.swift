internal import AnvilJSON

/// What kinds of values there are in JSON under one name: which column could hold all of them.
///
/// Types are widened so that no value becomes another: whole numbers to reals as long as all of them are exact as such, numbers
/// and Booleans to text, which has the digits that they are written with or `true` and `false`, and all of it to JSON.
struct SeenKinds: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let boolean = SeenKinds(rawValue: 1)
  /// A whole number of at most 2⁵³, which doubles have too.
  static let integer = SeenKinds(rawValue: 2)
  /// A whole number of 64 bits beyond that.
  static let longInteger = SeenKinds(rawValue: 4)
  /// A whole number of at most 2⁵³ that is written as others are not: `1.0`, `1e3`.
  static let wholeReal = SeenKinds(rawValue: 8)
  /// A number that a double says again with all its digits.
  static let real = SeenKinds(rawValue: 16)
  /// A number that neither 64 bits nor a double hold.
  static let longNumber = SeenKinds(rawValue: 32)
  static let text = SeenKinds(rawValue: 64)
  /// An object or an array.
  static let nested = SeenKinds(rawValue: 128)

  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The kind of one value; none for null, which says nothing.
  init(of json: JSON) {
    self =
      switch json.kind {
      case .null: []
      case .bool: .boolean
      case .number: Self.kind(ofNumber: json)
      case .string: .text
      case .array, .object: .nested
      }
  }

  private static func kind(ofNumber json: JSON) -> SeenKinds {
    let text = json.numberText ?? ""
    let isWrittenWhole = !text.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
    let integer = json.integer(as: Int64.self)
    if isWrittenWhole {
      guard let integer else { return .longNumber }
      return integer.magnitude <= largestExactInteger ? .integer : .longInteger
    }
    if let integer, integer.magnitude <= largestExactInteger { return .wholeReal }
    return isExact(json, text) ? .real : .longNumber
  }

  /// The whole numbers up to 2⁵³ are doubles.
  static let largestExactInteger: UInt64 = 1 << 53

  /// Whether the double says the number again as it is.
  private static func isExact(_ json: JSON, _ text: String) -> Bool {
    guard let double = json.double, double.isFinite else { return false }
    // Fifteen digits always come back. Source: IEEE 754-2019 §5.12.2, C's DBL_DIG.
    if text.utf8.count <= 16, !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) { return true }
    return (try? JSON(parsing: "\(double)")) == json
  }
}

extension SeenKinds {
  /// The type that holds what a column of `stored` holds and these kinds too; `nil` when nothing says one.
  ///
  /// Columns of types that JSON does not have stay as they are: whether the values fit shows when they are stored.
  ///
  /// - Parameter hasLongIntegers: whether the column holds whole numbers beyond 2⁵³; asked where it matters.
  func type(over stored: StoredType?, hasLongIntegers: () throws -> Bool = { false }) rethrows -> StoredType? {
    guard !isEmpty else { return stored }
    var kinds = self
    switch stored {
    case nil: break
    case .integer: kinds.insert(.integer)
    case .real: kinds.insert(.real)
    case .boolean: kinds.insert(.boolean)
    case .text: kinds.insert(.text)
    case .json: kinds.insert(.nested)
    case .date, .data, .uuid, .url, .decimal: return stored
    }
    if kinds.contains(.nested) { return .json }
    if !kinds.isDisjoint(with: [.text, .longNumber]) { return .text }
    if kinds.contains(.boolean) { return kinds == .boolean ? .boolean : .text }
    guard kinds.contains(.real) else {
      // 1.0 is a whole number where there are such already, and looks like a real otherwise.
      let isWhole = stored == .integer || kinds.contains(.longInteger) || !kinds.contains(.wholeReal)
      return isWhole ? .integer : .real
    }
    if kinds.contains(.longInteger) { return .text }
    return try stored == .integer && hasLongIntegers() ? .text : .real
  }
}
