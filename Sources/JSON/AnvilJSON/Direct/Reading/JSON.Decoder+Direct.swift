public import AnvilBase
internal import Synchronization

/// Decoding on the direct path: by ``JSON/Reader``, without containers.
extension JSON.Decoder {
  /// Decodes a value of type `type` from the whole of `data`, with ``JSONReadable/read(from:)`` if no strategy requires `init(from:)`.
  ///
  /// - Throws: `DecodingError`, or any error thrown by the type's `init(from:)`.
  @inlinable
  public func decode<T: JSONDirectlyDecodable>(_ type: T.Type, from data: Data) throws -> T {
    if let (options, dates) = directOptions, let value = try? JSON.read(type, from: data.bytes, options, dates: dates) {
      return value
    }
    return try decodeWithContainers(type, from: data)
  }

  /// An error for a value that cannot be read directly: the type has no direct path, a strategy needs a container, or the text is not
  /// valid.
  struct NotRead: Error {}

  /// Reads a value of `type`, which is known only at run time.
  ///
  /// An optional result would make the runtime look up its type in each call.
  func direct<T>(_ type: T.Type, from data: Data) throws(NotRead) -> T {
    let identifier = UInt(bitPattern: ObjectIdentifier(type))
    if identifier == typeWithContainers.load(ordering: .relaxed) { throw NotRead() }
    guard
      let direct = KnownShortcuts.directlyDecodable.conformance(of: type, { type as? any JSONDirectlyDecodable.Type })
    else {
      typeWithContainers.store(identifier, ordering: .relaxed)
      throw NotRead()
    }
    guard let (options, dates) = directOptions else { throw NotRead() }
    return try read(direct, as: type, from: data, options, dates)
  }

  private func read<Direct: JSONDirectlyDecodable, T>(
    _ direct: Direct.Type, as type: T.Type, from data: Data, _ options: JSON.ParsingOptions, _ dates: DateForm
  ) throws(NotRead) -> T {
    try value(ofType: type, else: NotRead()) { () throws(NotRead) -> Direct in
      do {
        return try JSON.read(direct, from: data.bytes, options, dates: dates)
      } catch {
        throw NotRead()
      }
    }
  }

  /// The options in the form that a reader needs; `nil` if one of them needs a container.
  @usableFromInline
  var directOptions: (JSON.ParsingOptions, DateForm)? {
    if hasDefaultOptions.load(ordering: .acquiring) { return (JSON.ParsingOptions(), .rfc3339OrSecondsSince2001) }
    let options = sharedOptions
    return options.directDates.map { (options.value.parsing, $0) }
  }
}

extension JSON.Decoder {
  /// Returns a decoder that reads dates as in RFC 3339, as everything does for which no strategy was set, except for a decoder.
  package static func rfc3339() -> JSON.Decoder { JSON.Decoder(dates: .rfc3339) }

  convenience init(dates: DateForm) {
    self.init()
    dateDecodingStrategy = dates.strategies.decoding
  }
}

extension JSON.Decoder.Options {
  /// The form of dates on the direct path; `nil` if an option needs a container.
  var directDates: DateForm? {
    guard userInfo.isEmpty, parsing.syntax == .json, parsing.root != .members, case .useDefaultKeys = keys,
      case .base64 = data, case .throw = floats
    else { return nil }
    return DateForm(dates)
  }
}
