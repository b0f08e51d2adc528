internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON {
  /// Encodes `Encodable` types as JSON: Foundation's `JSONEncoder` by another name.
  ///
  ///     let encoder = JSON.Encoder()
  ///     encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
  ///     let data = try encoder.encode(user)
  ///
  /// The text is Foundation's byte for byte, but for the order of members without ``OutputFormatting/sortedKeys``: here it
  /// is the order in which they were encoded. Of several values for one key the last stands. Asking for two kinds of
  /// container in one place, where Foundation traps, makes the whole call throw `EncodingError.invalidValue`. What is
  /// written to a container after the `encode(to:)` in which it was made has returned is lost, as with Foundation.
  ///
  /// Can be used from several tasks at once; each call works with the strategies that were set when it began.
  public final class Encoder: Sendable {
    /// How the text is laid out.
    public struct OutputFormatting: OptionSet, Sendable {
      /// The options as bits, the same as Foundation's.
      public let rawValue: UInt

      /// The options whose bits are set in `rawValue`.
      public init(rawValue: UInt) { self.rawValue = rawValue }

      /// One member or element to a line, indented by two spaces a level.
      public static let prettyPrinted = OutputFormatting(rawValue: 1 << 0)
      /// Members ordered by the bytes of their keys in UTF-8.
      public static let sortedKeys = OutputFormatting(rawValue: 1 << 1)
      /// `/` instead of `\/`.
      public static let withoutEscapingSlashes = OutputFormatting(rawValue: 1 << 3)
    }

    /// How `Date` is written.
    public enum DateEncodingStrategy: Sendable {
      /// As `Date` encodes itself: seconds since 2001.
      case deferredToDate
      /// A number of seconds since 1970.
      case secondsSince1970
      /// A number of milliseconds since 1970.
      case millisecondsSince1970
      /// A string such as `2026-11-21T08:00:00Z`. Source: RFC 3339.
      case iso8601
      /// What the function writes; an empty object when it writes nothing.
      case custom(@Sendable (_ date: Date, _ encoder: any Swift.Encoder) throws -> Void)
    }

    /// How `Data` is written.
    public enum DataEncodingStrategy: Sendable {
      /// As `Data` encodes itself: an array of bytes.
      case deferredToData
      /// A string in Base64. Source: RFC 4648 §4.
      case base64
      /// What the function writes; an empty object when it writes nothing.
      case custom(@Sendable (_ data: Data, _ encoder: any Swift.Encoder) throws -> Void)
    }

    /// How floating-point values that JSON has no numbers for are written.
    public enum NonConformingFloatEncodingStrategy: Sendable {
      /// Not at all.
      case `throw`
      /// As these strings.
      case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// How the keys of the type become those of the text.
    public enum KeyEncodingStrategy: Sendable {
      /// As they are.
      case useDefaultKeys
      /// `userName` becomes `user_name`; underscores at the ends stay.
      case convertToSnakeCase
      /// What the function makes of the path to the key, the key last.
      case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    struct Options: Sendable {
      var formatting: OutputFormatting = []
      var dates = DateEncodingStrategy.deferredToDate
      var data = DataEncodingStrategy.base64
      var floats = NonConformingFloatEncodingStrategy.throw
      var keys = KeyEncodingStrategy.useDefaultKeys
      var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    }

    private let options = Mutex(Options())
    /// What the last call worked in, for the next one.
    private let spareMemory = Mutex<EncodingMemory?>(nil)

    /// An encoder with the default strategies.
    public init() {}

    deinit {
      if let memory = spareMemory.withLock({ $0.take() }) { EncodingMemory.pool.give(memory) }
    }

    /// How the text is laid out: without white space, in the order of encoding and with `/` escaped, unless set.
    public var outputFormatting: OutputFormatting {
      get { options.withLock(\.formatting) }
      set { options.withLock { $0.formatting = newValue } }
    }

    /// How `Date` is written: as it encodes itself, unless set.
    public var dateEncodingStrategy: DateEncodingStrategy {
      get { options.withLock(\.dates) }
      set { options.withLock { $0.dates = newValue } }
    }

    /// How `Data` is written: in Base64, unless set.
    public var dataEncodingStrategy: DataEncodingStrategy {
      get { options.withLock(\.data) }
      set { options.withLock { $0.data = newValue } }
    }

    /// How infinities and NaN are written: not at all, unless set.
    public var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy {
      get { options.withLock(\.floats) }
      set { options.withLock { $0.floats = newValue } }
    }

    /// How keys are converted: not at all, unless set. Keys of a `Dictionary` with `String` keys never are.
    public var keyEncodingStrategy: KeyEncodingStrategy {
      get { options.withLock(\.keys) }
      set { options.withLock { $0.keys = newValue } }
    }

    /// What types find in their encoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
      get { options.withLock(\.userInfo) }
      set { options.withLock { $0.userInfo = newValue } }
    }

    /// The JSON text of `value`, in UTF-8.
    ///
    /// - Throws: `EncodingError.invalidValue` for a value that JSON has no form for, that encodes nothing, or that nests
    ///   deeper than 511 containers; and whatever the value's own `encode(to:)` throws.
    /// - Complexity: O(*n*), *n* the length of the text; with sorted keys also *m* log *m* for an object of *m* members.
    public func encode<T: Encodable>(_ value: T) throws -> Data {
      try run(value) { session, root in
        try session.write(value, at: root)
      }
    }

    /// The JSON text of `value` encoded with `configuration`.
    ///
    /// - Throws: as ``encode(_:)``.
    public func encode<T: EncodableWithConfiguration>(
      _ value: T, configuration: T.EncodingConfiguration
    ) throws -> Data {
      try run(value) { session, root in
        try value.encode(to: PlaceEncoder(session: session, identity: root), configuration: configuration)
      }
    }

    /// The JSON text of `value` encoded with the configuration that `provider` provides.
    ///
    /// - Throws: as ``encode(_:)``.
    public func encode<T: EncodableWithConfiguration, C: EncodingConfigurationProviding>(
      _ value: T, configuration provider: C.Type
    ) throws -> Data where T.EncodingConfiguration == C.EncodingConfiguration {
      try encode(value, configuration: C.encodingConfiguration)
    }

    /// The text that `encode` writes in a session of its own.
    private func run<T>(_ value: T, _ encode: (EncodingSession, _ root: Int) throws -> Void) throws -> Data {
      EscapedContainers.sweep()
      let memory = spareMemory.withLock { $0.take() } ?? EncodingMemory.pool.take() ?? EncodingMemory()
      var session = EncodingSession(options: options.withLock(\.self), memory: memory)
      var isReusable = false
      defer {
        // Whoever keeps an encoder or a container keeps the session, and the memory with it.
        if session.close(), isReusable, isKnownUniquelyReferenced(&session), memory.reset() {
          spareMemory.withLock { $0 = memory }
        }
      }
      let data = try session.run(value, encode)
      isReusable = session.current === session.main
      return data
    }
  }
}
