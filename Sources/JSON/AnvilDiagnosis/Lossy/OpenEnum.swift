public import AnvilJSON

/// A case of an enumeration, or a raw value without a case, such as one added by a newer server.
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
/// Decodes and encodes the raw value. A value of another type than the raw values is an error. Two instances are equal if their raw
/// values are. An unknown raw value is reported with the code ``DecodingReport/Code/unknownCase``.
public enum OpenEnum<Known: RawRepresentable> {
  /// A case of the enumeration.
  case known(Known)
  /// A raw value that matches no case.
  case unknown(Known.RawValue)

  /// The case; `nil` for an unknown raw value.
  public var value: Known? {
    if case .known(let value) = self { value } else { nil }
  }
}

extension OpenEnum: RawRepresentable {
  /// Creates a known or unknown case from `rawValue`.
  public init(rawValue: Known.RawValue) { self = Known(rawValue: rawValue).map(OpenEnum.known) ?? .unknown(rawValue) }

  /// The raw value of a known or unknown case.
  public var rawValue: Known.RawValue {
    switch self {
    case .known(let value): value.rawValue
    case .unknown(let rawValue): rawValue
    }
  }
}

extension OpenEnum {
  /// Returns the report entry for this unknown value at `path`.
  func unknownCase(at path: JSON.Path) -> DecodingReport.Entry {
    DecodingReport.Entry(
      .unknownCase, at: path, "not a case of ", type: Known.self, value: String(describing: rawValue))
  }
}

extension OpenEnum: Equatable where Known.RawValue: Equatable {}

extension OpenEnum: Hashable where Known.RawValue: Hashable {}

extension OpenEnum: Sendable where Known: Sendable, Known.RawValue: Sendable {}

extension OpenEnum: Decodable where Known.RawValue: Decodable {
  /// Decodes the raw value as a known or unknown case.
  ///
  /// - Throws: `DecodingError` for a value of another type than the raw values.
  public init(from decoder: any Swift.Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(Known.RawValue.self))
    if case .unknown = self, let report = decoder.report, !decoder.isAtOpenValue {
      report.record(unknownCase(at: decoder.path))
    }
  }
}

extension OpenEnum: Encodable where Known.RawValue: Encodable {
  /// Encodes the raw value.
  public func encode(to encoder: any Swift.Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

/// Lets the type serve as the key of a dictionary that is encoded as a JSON object.
extension OpenEnum: CodingKeyRepresentable where Known.RawValue: CodingKeyRepresentable {
  /// The coding key of the raw value.
  public var codingKey: any CodingKey { rawValue.codingKey }

  /// Creates a known or unknown case from the raw value of `codingKey`; `nil` if the key is not a raw value.
  public init?(codingKey: some CodingKey) {
    guard let rawValue = Known.RawValue(codingKey: codingKey) else { return nil }
    self.init(rawValue: rawValue)
  }
}

extension OpenEnum: JSONDecodable where Known.RawValue: JSONDecodable {}
