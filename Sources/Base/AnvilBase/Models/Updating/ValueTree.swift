/// The scalars of a value, without nulls, as texts in the form in which the value is encoded. Trees show which values of two models are equal.
indirect enum ValueTree: Hashable {
  case scalar(String)
  case items([ValueTree])
  case keys([String: ValueTree])

  /// The encoded form of `value`, or the properties of a value that is not encodable; `nil` for a null, and if the value cannot be encoded.
  init?(_ value: Any, at position: CodingPosition, userInfo: [CodingUserInfoKey: Any]) {
    let tree =
      if let value = value as? any Encodable {
        try? Self(RecordedValue(value), at: position, userInfo: userInfo)
      } else {
        Self.mirrored(value, position, userInfo)
      }
    guard let tree else { return nil }
    self = tree
  }

  /// The encoded form of `recorded`; `nil` for a null.
  ///
  /// - Throws: An error of `encode(to:)`.
  init?(_ recorded: RecordedValue, at position: CodingPosition, userInfo: [CodingUserInfoKey: Any]) throws {
    if let text = recorded.value.flatMap(Self.text(ofScalar:)) {
      self = .scalar(text)
    } else if let keys = try recorded.first(at: position, userInfo: userInfo, where: { $0.keys }) {
      self = .keys(try keys.compactMapValues { try Self($0, at: position, userInfo: userInfo) })
    } else if let items = try recorded.first(at: position, userInfo: userInfo, where: { $0.items }) {
      self = .items(try items.compactMap { try Self($0, at: position, userInfo: userInfo) })
    } else if let value = try recorded.encodedScalar(at: position, userInfo: userInfo) {
      self = .scalar(Self.text(of: value))
    } else {
      return nil
    }
  }

  /// The value that the keys in `path` lead to.
  subscript(path: some Collection<String>) -> ValueTree? {
    guard let name = path.first else { return self }
    guard case .keys(let keys) = self else { return nil }
    return keys[name]?[path.dropFirst()]
  }

  /// This value and all values in it.
  var parts: [ValueTree] {
    switch self {
    case .scalar: [self]
    case .items(let items): [self] + items.flatMap(\.parts)
    case .keys(let keys): [self] + keys.values.flatMap(\.parts)
    }
  }

  /// Returns whether this tree has `part` at a place where `other` does not have it.
  func has(_ part: ValueTree, unlike other: ValueTree?) -> Bool {
    if self == part { return other != part }
    guard case .keys(let keys) = self else { return false }
    return keys.contains { $0.value.has(part, unlike: other?[[$0.key]]) }
  }

  /// Whether the value is one that unrelated properties often have as their default: a Boolean, 0, 1, or something empty.
  var isCommon: Bool {
    switch self {
    case .scalar(let text): ["", "true", "false", "0.0", "1.0"].contains(text)
    case .items(let items): items.allSatisfy(\.isCommon)
    case .keys(let keys): keys.values.allSatisfy(\.isCommon)
    }
  }

  /// The text of a value of a common type, which need not be encoded; `nil` for other values. A `Data` encodes itself byte by byte.
  private static func text(ofScalar value: any Encodable) -> String? {
    switch value {
    case is String, is Bool, is any BinaryInteger, is any BinaryFloatingPoint, is URL, is UUID: text(of: value)
    case let value as Data: value.base64EncodedString()
    case let value as Date: text(of: value.timeIntervalSinceReferenceDate)
    default: nil
    }
  }

  /// Numbers are equal whatever their type is, also if a form contains them as texts.
  private static func text(of value: Any) -> String {
    let text = "\(value)"
    return Double(text).map { "\($0)" } ?? text
  }

  private static func mirrored(
    _ value: Any, _ position: CodingPosition, _ userInfo: [CodingUserInfoKey: Any]
  ) -> ValueTree? {
    let mirror = Mirror(reflecting: value)
    guard !mirror.children.isEmpty, mirror.displayStyle != .class else { return nil }
    let parts = mirror.children.compactMap { child in
      ValueTree(child.value, at: position, userInfo: userInfo).map { (child.label, $0) }
    }
    guard mirror.displayStyle == .struct else { return .items(parts.map(\.1)) }
    return .keys(Dictionary(parts.map { ($0 ?? "", $1) }, uniquingKeysWith: { first, _ in first }))
  }
}

extension RecordedValue {
  /// Returns whether `encode(to:)` writes the last key of `path`, if only for some values.
  func writes(_ path: ArraySlice<String>, at position: CodingPosition, userInfo: [CodingUserInfoKey: Any]) -> Bool {
    guard let name = path.first,
      let recorded = try? first(at: position, userInfo: userInfo, where: { $0.keys == nil ? nil : $0 })
    else { return false }
    guard path.count > 1 else { return recorded.writes(name) }
    return recorded.keys?[name]?.writes(path.dropFirst(), at: position, userInfo: userInfo) == true
  }

  /// Returns the value that encodes itself as itself, such as a number or a string.
  fileprivate func encodedScalar(
    at position: CodingPosition, userInfo: [CodingUserInfoKey: Any]
  ) throws -> (any Encodable)? {
    var last: (any Encodable)?
    return try first(at: position, userInfo: userInfo) { recorded in
      guard let value = recorded.value else { return last }
      if let last, type(of: last) == type(of: value) { return value }
      last = value
      return nil
    } ?? last
  }
}

/// The position of a value in an input. Its coding path is computed only when it is needed.
///
/// A decoder may have to count the preceding elements to compute its coding path. Computing the path of every element would make
/// reading a list quadratic, and paths are rarely used except in errors.
indirect enum CodingPosition {
  case decoder(any Decoder)
  /// The value of a key in the container at a position.
  case below(CodingPosition, any CodingKey)

  /// - Complexity: O(*d*), where *d* is the depth below a decoder, plus the complexity of the decoder's path.
  var path: [any CodingKey] {
    var position = self
    var keys: [any CodingKey] = []
    while case .below(let outer, let key) = position {
      keys.append(key)
      position = outer
    }
    guard case .decoder(let decoder) = position else { return keys.reversed() }
    return decoder.codingPath + keys.reversed()
  }
}
