/// A case of an enumeration, or a raw value that it has no case for yet: what a newer server sends stays what it is.
///
///     enum Status: String, Codable { case active, blocked }
///
///     struct User: Codable {
///       var status: OpenEnum<Status>
///     }
///     switch user.status {
///     case .known(.active): …
///     case .known(.blocked): …
///     case .unknown(let text): …
///     }
///
/// Decodes and encodes the raw value; one of another kind than the raw values is an error. Two are equal when their raw
/// values are. An unknown one is reported with the code ``DecodingReport/Code/unknownCase``.
public enum OpenEnum<Known: RawRepresentable> {
  /// A value that the enumeration has.
  case known(Known)
  /// The raw value of one that it does not have.
  case unknown(Known.RawValue)

  /// The value, where the enumeration has it.
  public var value: Known? {
    switch self {
    case .known(let value): value
    case .unknown: nil
    }
  }
}

extension OpenEnum: RawRepresentable {
  /// What `rawValue` stands for; never `nil`.
  public init(rawValue: Known.RawValue) { self = Known(rawValue: rawValue).map(OpenEnum.known) ?? .unknown(rawValue) }

  /// The raw value, of a known case or not.
  public var rawValue: Known.RawValue {
    switch self {
    case .known(let value): value.rawValue
    case .unknown(let rawValue): rawValue
    }
  }
}

extension OpenEnum {
  /// That this value, at `path`, is none of the known ones.
  func unknownCase(at path: JSON.Path) -> DecodingReport.Entry {
    DecodingReport.Entry(
      .unknownCase, at: path, "no case of ", type: Known.self, value: String(describing: rawValue))
  }
}

extension OpenEnum: Equatable where Known.RawValue: Equatable {
  /// Whether both have the same raw value.
  public static func == (left: OpenEnum, right: OpenEnum) -> Bool { left.rawValue == right.rawValue }
}

extension OpenEnum: Hashable where Known.RawValue: Hashable {
  /// Feeds the raw value.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension OpenEnum: Sendable where Known: Sendable, Known.RawValue: Sendable {}

extension OpenEnum: Decodable where Known.RawValue: Decodable {
  /// What the raw value stands for.
  ///
  /// - Throws: `DecodingError` for what is no raw value.
  public init(from decoder: any Swift.Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(Known.RawValue.self))
    if case .unknown = self, let report = decoder.report { report.record(unknownCase(at: decoder.path)) }
  }
}

extension OpenEnum: Encodable where Known.RawValue: Encodable {
  /// Encodes the raw value.
  ///
  /// - Throws: what encoding it throws.
  public func encode(to encoder: any Swift.Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

/// As the key of a dictionary, which is one of JSON's objects then.
extension OpenEnum: CodingKeyRepresentable where Known.RawValue: CodingKeyRepresentable {
  /// The raw value's.
  public var codingKey: any CodingKey { rawValue.codingKey }

  /// What the raw value that `codingKey` has stands for.
  public init?(codingKey: some CodingKey) {
    guard let rawValue = Known.RawValue(codingKey: codingKey) else { return nil }
    self.init(rawValue: rawValue)
  }
}

extension OpenEnum: JSONDecodable where Known.RawValue: JSONDecodable {}

extension OpenEnum: JSONEncodable where Known.RawValue: JSONEncodable {}
