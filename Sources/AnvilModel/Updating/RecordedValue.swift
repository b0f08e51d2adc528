/// What `encode(to:)` said about one place of an old value: the values themselves, not bytes.
///
/// A value stays whole until somebody asks for its parts: keeping an array of a million elements costs nothing.
/// At most one of `value`, `keys` and `items` is set; none of them is a null or a value that encoded nothing.
final class RecordedValue {
  /// A value that was encoded as one; never an optional, which is recorded as what it holds or as null.
  private(set) var value: (any Encodable)?
  /// The values of a keyed container, by the keys' strings.
  private(set) var keys: [String: RecordedValue]?
  /// The values of an unkeyed container.
  private(set) var items: [RecordedValue]?
  /// Whether null was encoded.
  private(set) var isNull = false

  private var expansion: RecordedValue?

  init() {}

  init(_ value: any Encodable) {
    record(value)
  }

  /// How many values may encode themselves as one other value, one in the other, before the search for a readable one
  /// ends: some encode themselves as themselves.
  private static let longestChain = 32
}

/// Recording.
extension RecordedValue {
  func record(_ value: any Encodable) {
    (keys, items) = (nil, nil)
    if let optional = value as? any OptionalValue {
      self.value = optional.wrapped as? any Encodable
      isNull = self.value == nil
    } else {
      self.value = value
      isNull = false
    }
  }

  func recordNull() {
    (value, keys, items) = (nil, nil, nil)
    isNull = true
  }

  /// A type may ask for its keyed container more than once: what is recorded stays.
  func recordKeys() {
    (value, items, isNull) = (nil, nil, false)
    if keys == nil { keys = [:] }
  }

  func recordItems() {
    (value, keys, isNull) = (nil, nil, false)
    if items == nil { items = [] }
  }

  /// The place under `key`, new or as recorded so far; `recordKeys()` has been called.
  func place(forKey key: String) -> RecordedValue {
    if let place = keys?[key] { return place }
    let place = RecordedValue()
    keys?[key] = place
    return place
  }

  /// A new place at the end; `recordItems()` has been called.
  func appendPlace() -> RecordedValue {
    let place = RecordedValue()
    items?.append(place)
    return place
  }
}

/// Reading.
extension RecordedValue {
  /// What the value says of itself, one level deep; this place when it holds no value.
  ///
  /// - Throws: what the value's `encode(to:)` throws.
  func expanded(at codingPlace: CodingPlace, userInfo: [CodingUserInfoKey: Any]) throws -> RecordedValue {
    guard let value else { return self }
    if let expansion { return expansion }
    let expansion = RecordedValue()
    try value.encode(to: ValueRecorder(place: expansion, codingPlace: codingPlace, userInfo: userInfo))
    self.expansion = expansion
    return expansion
  }

  /// The first place that `accept` takes: this one, or what its value encodes itself as, and so on.
  func first<Result>(
    at codingPlace: CodingPlace, userInfo: [CodingUserInfoKey: Any], where accept: (RecordedValue) -> Result?
  ) throws -> Result? {
    var place = self
    for _ in 0..<Self.longestChain {
      if let result = accept(place) { return result }
      guard place.value != nil else { return nil }
      place = try place.expanded(at: codingPlace, userInfo: userInfo)
    }
    return nil
  }

  /// The value as a `T`: itself, or the same number in another type.
  func value<T>(as type: T.Type) -> T? {
    guard let value else { return nil }
    return value as? T ?? number(value, as: type)
  }

  /// The value after it has taken over what `decoder` says; `nil` when it is no updatable `T`.
  func updated<T>(as type: T.Type, from decoder: any Decoder) throws -> T? {
    guard let value, value is T, var updatable = value as? any DecoderUpdatable else { return nil }
    try updatable.update(from: decoder)
    return updatable as? T
  }
}

/// An optional whose type is not known.
private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  /// What is held at the innermost level.
  fileprivate var wrapped: Any? {
    guard let self else { return nil }
    guard let inner = self as? any OptionalValue else { return self }
    return inner.wrapped
  }
}

/// `value` as the number type `type`, for types that encode themselves as one and decode themselves as another.
///
/// Integers are exact or nothing; floating point is rounded, as formats do.
private func number<T>(_ value: any Encodable, as type: T.Type) -> T? {
  func integer<N: BinaryInteger>(_: N.Type) -> N? {
    if let value = value as? any BinaryInteger { return N(exactly: value) }
    if let value = value as? any BinaryFloatingPoint { return exact(value) }
    return nil
  }
  func exact<N: BinaryInteger>(_ value: some BinaryFloatingPoint) -> N? { N(exactly: value) }
  func real<N: BinaryFloatingPoint>(_: N.Type) -> N? {
    if let value = value as? any BinaryInteger { return N(value) }
    if let value = value as? any BinaryFloatingPoint { return N(value) }
    return nil
  }
  if let type = type as? any BinaryInteger.Type { return integer(type) as? T }
  if let type = type as? any BinaryFloatingPoint.Type { return real(type) as? T }
  return nil
}
