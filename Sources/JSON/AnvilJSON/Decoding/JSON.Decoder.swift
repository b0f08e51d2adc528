public import AnvilBase
internal import Synchronization

extension JSON {
  /// A decoder of `Decodable` types from JSON, with the interface of Foundation's `JSONDecoder`.
  ///
  ///     let decoder = JSON.Decoder()
  ///     decoder.dateDecodingStrategy = .iso8601
  ///     let user = try decoder.decode(User.self, from: data)
  ///
  /// Errors are `Swift.DecodingError` with the coding path to the value. A text that is not JSON throws `dataCorrupted` with a
  /// ``SyntaxError`` as the underlying error. If several members share a key, the first is decoded.
  ///
  /// A decoder can be used from several tasks at once. Each call uses the strategies that were set when it began.
  public final class Decoder: Sendable {
    /// The format of `Date`.
    public enum DateDecodingStrategy: Sendable {
      /// A string as for ``rfc3339``, or a number as for ``deferredToDate``. The default.
      case automatic
      /// Seconds since 2001, in the form in which `Date` decodes itself. Text is not accepted.
      case deferredToDate
      /// A number of seconds since 1970.
      case secondsSince1970
      /// A number of milliseconds since 1970.
      case millisecondsSince1970
      /// A string such as `2026-11-21T08:00:00Z`, with or without a fraction. Days before 15 October 1582 are Julian, as in Foundation.
      /// Source: RFC 3339.
      case iso8601
      /// A string such as `2026-11-21T08:00:00.250Z`, with or without a fraction. Of the texts of ``iso8601``, it accepts those of
      /// the standard; all days are Gregorian. Source: RFC 3339.
      case rfc3339
      /// Decodes with a function that receives a decoder at the value.
      case custom(@Sendable (_ decoder: any Swift.Decoder) throws -> Date)
    }

    /// The format of `Data`.
    public enum DataDecodingStrategy: Sendable {
      /// An array of bytes, in the form in which `Data` decodes itself.
      case deferredToData
      /// A string in Base64. Source: RFC 4648 §4.
      case base64
      /// Decodes with a function that receives a decoder at the value.
      case custom(@Sendable (_ decoder: any Swift.Decoder) throws -> Data)
    }

    /// The handling of floating-point values that JSON numbers cannot represent.
    public enum NonConformingFloatDecodingStrategy: Sendable {
      /// Such values are not decoded; an error is thrown.
      case `throw`
      /// Decodes such values from these strings.
      case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// The conversion of keys in the text to keys of the type.
    public enum KeyDecodingStrategy: Sendable {
      /// Keys are not converted.
      case useDefaultKeys
      /// Converts `user_name` to `userName`. Underscores at the beginning and end are kept.
      case convertFromSnakeCase
      /// Converts with a function that receives the path to the key, including the key.
      case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// The strategies. A call uses an immutable instance; setters replace the whole instance.
    package struct Options: Sendable {
      package var dates = DateDecodingStrategy.automatic
      package var data = DataDecodingStrategy.base64
      package var floats = NonConformingFloatDecodingStrategy.throw
      package var keys = KeyDecodingStrategy.useDefaultKeys
      package var userInfo: [CodingUserInfoKey: any Sendable] = [:]
      package var parsing = JSON.ParsingOptions()

      package init() {}
    }

    /// The options and the data derived from them, which several calls share.
    final class SharedOptions: Sendable {
      let value: Options
      /// The form of dates for reading without containers; `nil` if an option requires containers.
      let directDates: DateForm?

      init(_ value: Options) {
        self.value = value
        directDates = value.directDates
      }
    }

    private struct State {
      var options = SharedOptions(Options())
      /// Working memory for the next call, if no call is using it.
      var spareMemory: DecodingMemory?
    }

    private let state = Mutex(State())
    /// True until an option is set. It is read without the lock, which took 2 % of the time for 500 bytes.
    let hasDefaultOptions = Atomic<Bool>(true)
    /// The last type that was found not to be ``JSONDirectlyDecodable``. Looking up a type takes 1 % of the time for 500 bytes.
    let typeWithContainers = Atomic<UInt>(0)

    package var options: Options { state.withLock(\.options.value) }

    var sharedOptions: SharedOptions { state.withLock(\.options) }

    private func setOption<Value>(_ option: WritableKeyPath<Options, Value>, to value: Value) {
      state.withLock { state in
        var options = state.options.value
        options[keyPath: option] = value
        state.options = SharedOptions(options)
        hasDefaultOptions.store(false, ordering: .releasing)
      }
    }

    /// Creates a decoder with the default strategies.
    public init() {}

    package func copy() -> Decoder {
      let decoder = Decoder()
      let options = state.withLock(\.options)
      decoder.state.withLock { $0.options = options }
      decoder.hasDefaultOptions.store(hasDefaultOptions.load(ordering: .acquiring), ordering: .releasing)
      return decoder
    }

    deinit {
      if let memory = state.withLock({ $0.spareMemory.take() }) { DecodingMemory.pool.give(memory) }
    }

    /// The format of `Date`. The default is `automatic`.
    public var dateDecodingStrategy: DateDecodingStrategy {
      get { options.dates }
      set { setOption(\.dates, to: newValue) }
    }

    /// The format of `Data`. The default is `base64`.
    public var dataDecodingStrategy: DataDecodingStrategy {
      get { options.data }
      set { setOption(\.data, to: newValue) }
    }

    /// The handling of infinities and NaN. By default an error is thrown.
    public var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy {
      get { options.floats }
      set { setOption(\.floats, to: newValue) }
    }

    /// The conversion of keys. By default keys are not converted.
    public var keyDecodingStrategy: KeyDecodingStrategy {
      get { options.keys }
      set { setOption(\.keys, to: newValue) }
    }

    /// The contextual information that types receive in the `userInfo` of their decoder.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
      get { options.userInfo }
      set { setOption(\.userInfo, to: newValue) }
    }

    /// The limits and the language of the text.
    public var parsingOptions: JSON.ParsingOptions {
      get { options.parsing }
      set { setOption(\.parsing, to: newValue) }
    }

    /// A Boolean value that indicates whether the text is JSON5. This is the name in Foundation for the syntax of the ``parsingOptions``.
    public var allowsJSON5: Bool {
      get { parsingOptions.syntax == .json5 }
      set { setOption(\.parsing.syntax, to: newValue ? .json5 : .json) }
    }

    /// A Boolean value that indicates whether the text may be the members of an object without its braces. This is the name in Foundation
    /// for the root of the ``parsingOptions``. An object in braces is accepted too, and a text without members is an empty object.
    public var assumesTopLevelDictionary: Bool {
      get { parsingOptions.root == .members }
      set {
        if newValue != assumesTopLevelDictionary { setOption(\.parsing.root, to: newValue ? .members : .anyValue) }
      }
    }

    /// Decodes a value of type `type` from the whole of `data`.
    ///
    /// - Throws: `DecodingError`, or any error thrown by the type's `init(from:)`.
    public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
      do throws(NotRead) {
        return try direct(type, from: data)
      } catch {
        return try decodeWithContainers(type, from: data)
      }
    }

    /// Decodes a value of type `type` with its `init(from:)`, even if the type is ``JSONDirectlyDecodable``.
    @usableFromInline
    func decodeWithContainers<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
      if type == JSON.self { return try decodeDocument(type, from: data) }
      return try run({ try document(of: data, $0) }, { try $0.decode(type, at: 0) })
    }

    /// Decodes a value of type `type` from the whole of `text`, as from its UTF-8 bytes.
    ///
    /// - Throws: The same errors as `decode(_:from:)`.
    public func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
      try decode(type, from: Data(text.utf8))
    }

    /// Decodes a value of type `type` from `json`, which may be a whole document or a part of one. It is neither copied nor
    /// serialized.
    ///
    /// - Throws: `DecodingError`, or any error thrown by the type's `init(from:)`. All coding paths begin at `json`, both those of
    ///   errors and those that types and strategies receive.
    public func decode<T: Decodable>(_ type: T.Type, from json: JSON) throws -> T {
      try run({ _ in json.document }, root: json.index) {
        try $0.decode(type, at: json.index)
      }
    }

    /// Decodes a value of type `type` from the whole of `data`, with `configuration`.
    ///
    /// - Throws: The same errors as `decode(_:from:)`.
    public func decode<T: DecodableWithConfiguration>(
      _ type: T.Type, from data: Data, configuration: T.DecodingConfiguration
    ) throws -> T {
      try run(
        { try document(of: data, $0) },
        { try type.init(from: NodeDecoder(session: $0, index: 0), configuration: configuration) })
    }

    /// Decodes a value of type `type` from the whole of `data`, with the configuration of `provider`.
    ///
    /// - Throws: The same errors as `decode(_:from:)`.
    public func decode<T: DecodableWithConfiguration, C: DecodingConfigurationProviding>(
      _ type: T.Type, from data: Data, configuration provider: C.Type
    ) throws -> T where T.DecodingConfiguration == C.DecodingConfiguration {
      try decode(type, from: data, configuration: C.decodingConfiguration)
    }

    /// Returns a decoder at the root of the text `data`. The decoder and its containers keep the text alive.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if the text is not JSON.
    package func rootDecoder(for data: Data) throws -> any Swift.Decoder {
      let options = state.withLock(\.options)
      return NodeDecoder(session: DecodingSession(try document(of: data, options.value), options: options), index: 0)
    }

    /// Returns a decoder at `json`, which may be a part of a document. The decoder and its containers keep the document alive.
    package func decoder(at json: JSON) -> any Swift.Decoder {
      let session = DecodingSession(json.document, root: json.index, options: state.withLock(\.options))
      return NodeDecoder(session: session, index: json.index)
    }

    private func run<T>(
      _ document: (Options) throws -> Document, root: Int = 0, _ decode: (DecodingSession) throws -> T
    ) throws -> T {
      EscapedContainers.sweep()
      let (options, spareMemory) = state.withLock { ($0.options, $0.spareMemory.take()) }
      let memory = spareMemory ?? DecodingMemory.pool.take() ?? DecodingMemory()
      var session = DecodingSession(
        try document(options.value), root: root, options: options, memory: memory, isOpen: true)
      defer {
        // A decoder or container that is still referenced keeps the session alive, and with it the memory.
        if session.close(), isKnownUniquelyReferenced(&session) { state.withLock { $0.spareMemory = memory } }
      }
      return try decode(session)
    }

    /// Returns the document itself if `type` is `JSON`: a copy of its root took 4 % of the time of a pull.
    @inline(never)  // The metadata for the cast cost other types 2 % of the instructions for 500 bytes.
    private func decodeDocument<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
      try JSON(document(of: data, options, for: .kept)) as? T
        ?? run({ try document(of: data, $0) }, { try $0.decode(type, at: 0) })
    }

    private func document(
      of data: Data, _ options: Options, for lifetime: PaddedBytes.Lifetime = .call
    ) throws -> Document {
      do throws(SyntaxError) {
        return try Document.parse(data.bytes, options: options.parsing, for: lifetime)
      } catch {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: [], debugDescription: "The text is not JSON: \(error)", underlyingError: error))
      }
    }
  }
}

/// The working memory of a session, which can be reused by the next call of the same decoder or of another one.
///
/// `@unchecked Sendable`: only one session at a time uses it. The decoder hands it out under a lock, and takes it back only from
/// a session without other references.
final class DecodingMemory: @unchecked Sendable {
  let shortcuts = ShortcutMemory<any DirectlyDecodable.Type>()
  let containers = ContainerMemory<MemberFrame.State>()

  static let pool = MemoryPool<DecodingMemory>()

  deinit {
    shortcuts.deallocate()
    containers.deallocate()
  }
}

/// A pool of working memory that is shared by all calls of coders in the process. A coder that is created for one call is therefore as fast
/// as one that is kept.
final class MemoryPool<Memory: AnyObject & Sendable>: Sendable {
  /// The maximum number of memories in the pool. More are probably not in use at the same time.
  private static var limit: Int { 8 }
  private let memories = Mutex<[Memory]>([])

  func take() -> Memory? { memories.withLock { $0.popLast() } }

  /// Keeps `memory`, which must have no other references, or releases it if the pool is full.
  func give(_ memory: Memory) {
    memories.withLock { memories in
      if memories.count < Self.limit { memories.append(memory) }
    }
  }
}

/// Anvil's JSON decoder. Strategies are set on the decoder.
extension JSON.Decoder: DecodingFormat {
  /// Returns a decoder for the root of the JSON text `data`, with this decoder's strategies.
  public func decoder(for data: Data) -> any Swift.Decoder {
    do {
      return try rootDecoder(for: data)
    } catch {
      return FailingDecoder(error: error)
    }
  }
}

/// Anvil's JSON encoder. Strategies are set on the encoder.
extension JSON.Encoder: EncodingFormat {
  /// `application/json`. Source: RFC 8259 §11.
  public var mediaType: String? { "application/json" }
}
