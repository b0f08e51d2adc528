public import AnvilBase
internal import Synchronization

/// Encoding on the direct path: by ``JSON/Writer``, without containers.
extension JSON.Encoder {
  /// Encodes `value` as JSON text in UTF-8, with ``JSONWritable/write(to:)`` if no strategy requires `encode(to:)`.
  ///
  /// - Throws: `EncodingError`, or any error thrown by the value's `encode(to:)`.
  @inlinable
  public func encode<T: JSONDirectlyEncodable>(_ value: T) throws -> Data {
    if let style = directStyle, let data = try? JSON.write(value, style) { return data }
    return try encodeWithContainers(value)
  }

  /// Returns the text of `value`, whose type is known only at run time. Returns `nil` if the type has no direct path, a strategy needs a
  /// container, or the value cannot be written.
  func direct<T>(_ value: T) -> Data? {
    let identifier = UInt(bitPattern: ObjectIdentifier(T.self))
    if identifier == typeWithContainers.load(ordering: .relaxed) { return nil }
    guard
      let direct = KnownShortcuts.directlyEncodable.conformance(
        of: T.self, { T.self as? any JSONDirectlyEncodable.Type })
    else {
      typeWithContainers.store(identifier, ordering: .relaxed)
      return nil
    }
    guard let style = directStyle else { return nil }
    return write(value, as: direct, style)
  }

  private func write<Direct: JSONDirectlyEncodable, T>(
    _ value: T, as direct: Direct.Type, _ style: DirectStyle
  ) -> Data? {
    AnvilJSON.value(value, ifOfType: direct).flatMap { try? JSON.write($0, style) }
  }

  /// The forms of values on the direct path; `nil` if an option needs a container.
  @usableFromInline
  var directStyle: DirectStyle? {
    hasDefaultOptions.load(ordering: .acquiring) ? Self.defaultStyle : options.withLock(\.directStyle)
  }

  private static let defaultStyle = Options().directStyle
}

extension JSON.Encoder {
  /// Returns an encoder that writes dates as in RFC 3339, as everything does for which no strategy was set, except for an encoder.
  package static func rfc3339() -> JSON.Encoder {
    let encoder = JSON.Encoder()
    encoder.dateEncodingStrategy = .rfc3339
    return encoder
  }
}

extension JSON {
  @inlinable
  static func write<Value: JSONWritable>(_ value: Value, _ style: DirectStyle) throws(WritingError) -> Data {
    // Safety: the memory has as many bytes, and the writer is gone when the function ends.
    try unsafe withUnsafeTemporaryAllocation(byteCount: OutputMemory.stackSize, alignment: 16) {
      (memory) throws(WritingError) -> Data in
      guard let start = memory.baseAddress else { return Data() }
      var writer = unsafe Writer(style, in: start)
      writer.place(value)
      return try writer.finish()
    }
  }
}

/// The forms in which a ``JSON/Writer`` writes values: its default forms, or those that the options of an encoder require.
@usableFromInline
struct DirectStyle: BitwiseCopyable, Sendable {
  var escapesSlashes: Bool
  var dates: DateForm
  var depthLimit: Int
  /// True if a tag has been written as the first member of the next object, after its opening brace.
  var isObjectBegun = false { didSet { updatePlainDepthLimit() } }
  /// The number of objects with tags that have begun and have not ended.
  var taggedDepth = 0
  var hasFailed = false { didSet { updatePlainDepthLimit() } }
  /// The depth below which containers begin with a bracket without further checks: ``depthLimit``, or 0 if checks are
  /// needed.
  private(set) var plainDepthLimit: Int

  init(escapesSlashes: Bool, dates: DateForm, depthLimit: Int) {
    self.escapesSlashes = escapesSlashes
    self.dates = dates
    self.depthLimit = depthLimit
    plainDepthLimit = depthLimit
  }

  private mutating func updatePlainDepthLimit() { plainDepthLimit = isObjectBegun || hasFailed ? 0 : depthLimit }

  /// The default forms of the direct path. The depth limit is that of the parser.
  @usableFromInline
  static var own: DirectStyle { DirectStyle(escapesSlashes: false, dates: .rfc3339, depthLimit: 512) }
}

extension JSON.Encoder.Options {
  /// The forms in which a ``JSON/Writer`` writes values with these options; `nil` if an option requires containers.
  var directStyle: DirectStyle? {
    guard formatting.subtracting(.withoutEscapingSlashes).isEmpty, userInfo.isEmpty, case .useDefaultKeys = keys,
      case .base64 = data, case .throw = floats, let dates = DateForm(dates)
    else { return nil }
    return DirectStyle(
      escapesSlashes: !formatting.contains(.withoutEscapingSlashes), dates: dates,
      depthLimit: EncodingSession.maximumDepth)
  }
}
