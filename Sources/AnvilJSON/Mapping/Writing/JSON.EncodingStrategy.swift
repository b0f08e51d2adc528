#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON {
  /// One way to write a `Value`, where a type's own, or the only one it has, is not the right one: the other direction of
  /// ``DecodingStrategy``.
  ///
  ///     try json.write(created, at: "created", with: .date(.secondsSince1970))
  ///     try json.write(updates, at: "updates", with: .array(of: .date(.millisecondsSince1970)))
  public struct EncodingStrategy<Value>: Sendable {
    /// The function.
    public let encode: @Sendable (_ value: Value, _ json: inout JSON.Builder) throws -> Void

    /// The strategy that `encode` is.
    ///
    /// - Parameter encode: may throw any error; the path is added as for ``JSONEncodable/encode(into:)``.
    public init(_ encode: @escaping @Sendable (_ value: Value, _ json: inout JSON.Builder) throws -> Void) {
      self.encode = encode
    }

    /// An array, each of whose elements `strategy` writes.
    public static func array<Element>(of strategy: EncodingStrategy<Element>) -> EncodingStrategy
    where Value == [Element] {
      EncodingStrategy { elements, json in
        try json.openContainer(.array)
        for element in elements { try json.append { try strategy.encode(element, &$0) } }
      }
    }

    /// `null` for `nil`, else what `strategy` writes.
    public static func optional<Wrapped>(_ strategy: EncodingStrategy<Wrapped>) -> EncodingStrategy
    where Value == Wrapped? {
      EncodingStrategy { value, json in
        guard let value else { return try json.writeNull() }
        try strategy.encode(value, &json)
      }
    }
  }
}

extension JSON.EncodingStrategy where Value == Date {
  /// A date in `format`.
  public static func date(_ format: JSON.DateFormat) -> JSON.EncodingStrategy<Date> {
    switch format {
    case .iso8601: JSON.EncodingStrategy { try $0.encode(into: &$1) }
    case .secondsSince1970: JSON.EncodingStrategy { try $0.timeIntervalSince1970.encode(into: &$1) }
    case .millisecondsSince1970: JSON.EncodingStrategy { try ($0.timeIntervalSince1970 * 1000).encode(into: &$1) }
    }
  }
}

extension JSON.Builder {
  /// Writes what `strategy` makes of `value` as the value to which `path` leads.
  ///
  /// - Throws: ``JSONEncodingError``, as ``write(_:at:)``.
  public mutating func write<Value>(
    _ value: Value, at path: JSON.Path, with strategy: JSON.EncodingStrategy<Value>
  ) throws {
    try write(at: path) { try strategy.encode(value, &$0) }
  }

  /// Writes what `strategy` makes of `value`, or nothing for `nil`.
  ///
  /// - Throws: ``JSONEncodingError``, as ``write(_:at:)``.
  public mutating func write<Value>(
    ifPresent value: Value?, at path: JSON.Path, with strategy: JSON.EncodingStrategy<Value>
  ) throws {
    guard let value else { return try beginAbsentValue(at: path) }
    try write(value, at: path, with: strategy)
  }
}
