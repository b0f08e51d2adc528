internal import AnvilBase
public import AnvilCodable

// Dates with `@CodableBy`, as `@CodableBy(.secondsSince1970) var pushedAt: Date`. Used by the code that ``StoredModel()`` writes.

/// The form of a date in its column, which a strategy of the property determines.
///
/// A column of dates that an earlier version of the model has created keeps its form.
public struct _StoredCoding: Sendable {
  let storedType: StoredType
  private let code: @Sendable (Date) throws -> any Encodable & Sendable
  private let decode: @Sendable (AttributeKey, KeyedDecodingContainer<AttributeKey>) throws -> Date?

  /// Creates the form of a date. Returns `nil` for a strategy that writes dates in the format of RFC 3339, as columns do.
  public init?<Strategy: CodableStrategy>(
    _ strategy: Strategy
  ) where Strategy.Value == Date, Strategy.Coded: StoredValue {
    guard strategy.determinesColumn else { return nil }
    storedType = scalarType(Strategy.Coded.self).storedType
    code = { comparedValue(try strategy.coded($0)) }
    decode = { key, container in
      try container.decodeIfPresent(Strategy.Coded.self, forKey: key).map { try strategy.value(from: $0) }
    }
  }

  /// Returns `nil`: other values are stored without the strategy, so that conditions compare them.
  @_disfavoredOverload
  public init?(_ strategy: some CodableStrategy) { return nil }

  /// Returns the form in which a column of the type contains the value.
  func coded(_ value: any Encodable & Sendable, in type: StoredType?) throws -> any Encodable & Sendable {
    guard type?.isDate != true, let date = value as? Date else { return value }
    return try code(date)
  }

  /// Returns the date in a payload; `nil` if it is missing or cannot be decoded.
  func date(at key: AttributeKey, in container: KeyedDecodingContainer<AttributeKey>) -> Date? {
    try? decode(key, container)
  }
}

extension CodableStrategy {
  /// Whether a date is stored in the form of the strategy. Columns have the format of RFC 3339 themselves, in a form that can be sorted.
  fileprivate var determinesColumn: Bool { (self as? _Strategy<Date, String>)?.isISO8601 != true }
}

extension StoredType {
  var isDate: Bool { self == .timestamp || self == .date }
}

extension _StoredRowWriter {
  /// Sets the value of a column if the strategy determines its form. Returns `false` if the value itself has to be written.
  public func writeCoded<Strategy: CodableStrategy>(
    _ value: Date?, _ column: Int, _by strategy: Strategy
  ) throws -> Bool where Strategy.Value == Date, Strategy.Coded: StoredValue {
    guard strategy.determinesColumn, !hasDates(at: column) else { return false }
    try Strategy.Coded._write(try value.map { try coding($0, column, strategy) }, to: self, at: column)
    return true
  }

  /// Stores the coded form of a container as JSON. Returns `false` for `nil`.
  public func writeCoded<Value, Coded>(
    _ value: Value?, _ column: Int, _by strategy: _ContainerStrategy<Value, Coded>
  ) throws -> Bool {
    guard let value else { return false }
    try write(try coding(value, column, strategy), column)
    return true
  }

  /// Returns `false`: other values are stored without the strategy, so that conditions compare them.
  @_disfavoredOverload
  public func writeCoded<Value>(_ value: Value, _ column: Int, _by strategy: some CodableStrategy) throws -> Bool {
    false
  }

  private func coding<Strategy: CodableStrategy>(
    _ value: Strategy.Value, _ column: Int, _ strategy: Strategy
  ) throws -> Strategy.Coded {
    do {
      return try strategy.coded(value)
    } catch {
      let error = ElementErrors.first(of: error).error
      guard let failure = error as? CodingStrategyError else { throw error }
      throw unencodable(value, failure, at: column)
    }
  }
}

extension _StoredRowReader {
  /// Returns the value of a column whose form the strategy determines; `nil` for NULL, and if the column contains the value itself.
  public func readCoded<Strategy: CodableStrategy>(
    _ type: Date.Type, _ column: Int, _by strategy: Strategy
  ) throws -> Date? where Strategy.Value == Date, Strategy.Coded: StoredValue {
    guard strategy.determinesColumn, !hasDates(at: column),
      let coded = try Strategy.Coded._read(from: self, at: column)
    else { return nil }
    do {
      return try strategy.value(from: coded)
    } catch let failure as CodingStrategyError {
      throw invalid(failure, at: column)
    }
  }

  /// Returns the container whose coded form is stored as JSON; `nil` for NULL, and if the column contains another form, which an earlier
  /// version of the model has written.
  public func readCoded<Value, Coded>(
    _ type: Value.Type, _ column: Int, _by strategy: _ContainerStrategy<Value, Coded>
  ) throws -> Value? {
    guard let coded = try? readIfPresent(Coded.self, column) else { return nil }
    return try? strategy.value(from: coded)
  }

  /// Returns `nil`: the column contains the value itself.
  @_disfavoredOverload
  public func readCoded<Value>(
    _ type: Value.Type, _ column: Int, _by strategy: some CodableStrategy
  ) throws -> Value? { nil }
}
