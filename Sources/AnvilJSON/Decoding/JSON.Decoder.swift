internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON {
  /// Decodes `Decodable` types from JSON: Foundation's `JSONDecoder` by another name.
  ///
  ///     let decoder = JSON.Decoder()
  ///     decoder.dateDecodingStrategy = .iso8601
  ///     let user = try decoder.decode(User.self, from: data)
  ///
  /// Errors are `Swift.DecodingError` with the coding path to the value. A text that is no JSON is `dataCorrupted` with the
  /// ``SyntaxError`` beneath. Of several members with one key the first is read.
  ///
  /// Can be used from several tasks at once; each call works with the strategies that were set when it began.
  public final class Decoder: Sendable {
    /// How `Date` is read.
    public enum DateDecodingStrategy: Sendable {
      /// As `Date` decodes itself: seconds since 2001.
      case deferredToDate
      /// A number of seconds since 1970.
      case secondsSince1970
      /// A number of milliseconds since 1970.
      case millisecondsSince1970
      /// A string such as `2026-11-21T08:00:00Z`. Source: RFC 3339.
      case iso8601
      /// What the function makes of the decoder at the value.
      case custom(@Sendable (_ decoder: any Swift.Decoder) throws -> Date)
    }

    /// How `Data` is read.
    public enum DataDecodingStrategy: Sendable {
      /// As `Data` decodes itself: an array of bytes.
      case deferredToData
      /// A string in Base64. Source: RFC 4648 §4.
      case base64
      /// What the function makes of the decoder at the value.
      case custom(@Sendable (_ decoder: any Swift.Decoder) throws -> Data)
    }

    /// How floating-point values that JSON has no numbers for are read.
    public enum NonConformingFloatDecodingStrategy: Sendable {
      /// Not at all.
      case `throw`
      /// From these strings.
      case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// How the keys of the text become those of the type.
    public enum KeyDecodingStrategy: Sendable {
      /// As they are.
      case useDefaultKeys
      /// `user_name` becomes `userName`; underscores at the ends stay.
      case convertFromSnakeCase
      /// What the function makes of the path to the key, the key last.
      case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// The strategies. What a call works with is never changed: setters replace all of them.
    struct Options: Sendable {
      var dates = DateDecodingStrategy.deferredToDate
      var data = DataDecodingStrategy.base64
      var floats = NonConformingFloatDecodingStrategy.throw
      var keys = KeyDecodingStrategy.useDefaultKeys
      var userInfo: [CodingUserInfoKey: any Sendable] = [:]
      var parsing = JSON.ParsingOptions()
    }

    /// Options that calls share.
    final class SharedOptions: Sendable {
      let value: Options

      init(_ value: Options) { self.value = value }
    }

    private struct State {
      var options = SharedOptions(Options())
      /// What a call can work in, where none does.
      var spareMemory: DecodingMemory?
    }

    private let state = Mutex(State())

    var options: Options { state.withLock(\.options.value) }

    /// The strategies as they are now.
    var sharedOptions: SharedOptions { state.withLock(\.options) }

    private func setOption<Value>(_ option: WritableKeyPath<Options, Value>, to value: Value) {
      state.withLock { state in
        var options = state.options.value
        options[keyPath: option] = value
        state.options = SharedOptions(options)
      }
    }

    /// A decoder with the default strategies.
    public init() {}

    /// A decoder of its own with the strategies that are set now.
    package func copy() -> Decoder {
      let decoder = Decoder()
      let options = state.withLock(\.options)
      decoder.state.withLock { $0.options = options }
      return decoder
    }

    deinit {
      if let memory = state.withLock({ $0.spareMemory.take() }) { DecodingMemory.pool.give(memory) }
    }

    /// How `Date` is read: as it decodes itself, unless set.
    public var dateDecodingStrategy: DateDecodingStrategy {
      get { options.dates }
      set { setOption(\.dates, to: newValue) }
    }

    /// How `Data` is read: from Base64, unless set.
    public var dataDecodingStrategy: DataDecodingStrategy {
      get { options.data }
      set { setOption(\.data, to: newValue) }
    }

    /// How infinities and NaN are read: not at all, unless set.
    public var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy {
      get { options.floats }
      set { setOption(\.floats, to: newValue) }
    }

    /// How keys are converted: not at all, unless set.
    public var keyDecodingStrategy: KeyDecodingStrategy {
      get { options.keys }
      set { setOption(\.keys, to: newValue) }
    }

    /// What types find in their decoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
      get { options.userInfo }
      set { setOption(\.userInfo, to: newValue) }
    }

    /// Limits and language of the text.
    public var parsingOptions: JSON.ParsingOptions {
      get { options.parsing }
      set { setOption(\.parsing, to: newValue) }
    }

    /// Whether the text is JSON5: the syntax of the ``parsingOptions`` under Foundation's name.
    public var allowsJSON5: Bool {
      get { parsingOptions.syntax == .json5 }
      set { setOption(\.parsing.syntax, to: newValue ? .json5 : .json) }
    }

    /// Whether the text may be an object's members without its braces: the root of the ``parsingOptions`` under Foundation's
    /// name. An object in braces is read too, and a text without members is the empty object.
    public var assumesTopLevelDictionary: Bool {
      get { parsingOptions.root == .members }
      set {
        if newValue != assumesTopLevelDictionary { setOption(\.parsing.root, to: newValue ? .members : .anyValue) }
      }
    }

    /// Decodes one value of type `type` from all of `data`.
    ///
    /// - Throws: `DecodingError`, and whatever the type's own `init(from:)` throws.
    public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
      try run({ try document(of: data, $0) }, { try $0.decode(type, at: 0) })
    }

    /// Decodes one value of type `type` from all of `text`, as from its UTF-8 bytes.
    ///
    /// - Throws: as ``decode(_:from:)-(_,Data)``.
    public func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
      try decode(type, from: Data(text.utf8))
    }

    /// Decodes a value of type `type` from `json`, the whole of a document or a part of one, which is neither copied nor
    /// written out.
    ///
    /// - Throws: `DecodingError`, and whatever the type's own `init(from:)` throws. All coding paths begin at `json`: those of
    ///   errors, and those that types and strategies see.
    public func decode<T: Decodable>(_ type: T.Type, from json: JSON) throws -> T {
      try run({ _ in json.document }, root: json.index) {
        try $0.decode(type, at: json.index)
      }
    }

    /// Decodes one value of type `type` from all of `data`, with `configuration`.
    ///
    /// - Throws: as ``decode(_:from:)-(_,Data)``.
    public func decode<T: DecodableWithConfiguration>(
      _ type: T.Type, from data: Data, configuration: T.DecodingConfiguration
    ) throws -> T {
      try run(
        { try document(of: data, $0) },
        { try type.init(from: NodeDecoder(session: $0, index: 0), configuration: configuration) })
    }

    /// Decodes one value of type `type` from all of `data`, with the configuration that `provider` provides.
    ///
    /// - Throws: as ``decode(_:from:)-(_,Data)``.
    public func decode<T: DecodableWithConfiguration, C: DecodingConfigurationProviding>(
      _ type: T.Type, from data: Data, configuration provider: C.Type
    ) throws -> T where T.DecodingConfiguration == C.DecodingConfiguration {
      try decode(type, from: data, configuration: C.decodingConfiguration)
    }

    /// A decoder at the root of the text `data`. What is made with it keeps the text alive.
    ///
    /// - Throws: `DecodingError.dataCorrupted` when the text is not JSON.
    package func rootDecoder(for data: Data) throws -> any Swift.Decoder {
      let options = state.withLock(\.options)
      return NodeDecoder(session: DecodingSession(try document(of: data, options.value), options: options), index: 0)
    }

    /// What `decode` makes of a session of its own.
    private func run<T>(
      _ document: (Options) throws -> Document, root: Int = 0, _ decode: (DecodingSession) throws -> T
    ) throws -> T {
      EscapedContainers.sweep()
      let (options, spareMemory) = state.withLock { ($0.options, $0.spareMemory.take()) }
      let memory = spareMemory ?? DecodingMemory.pool.take() ?? DecodingMemory()
      var session = DecodingSession(
        try document(options.value), root: root, options: options, memory: memory, isOpen: true)
      defer {
        // Whoever keeps a decoder or a container keeps the session, and the memory with it.
        if session.close(), isKnownUniquelyReferenced(&session) { state.withLock { $0.spareMemory = memory } }
      }
      return try decode(session)
    }

    private func document(of data: Data, _ options: Options) throws -> Document {
      do throws(SyntaxError) {
        return try Document.parse(data.bytes, options: options.parsing, for: .call)
      } catch {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: [], debugDescription: "The text is not JSON: \(error)", underlyingError: error))
      }
    }
  }
}
