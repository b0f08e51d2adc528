public import AnvilBase
internal import Synchronization

extension JSON {
  /// An encoder of `Encodable` types to JSON, with the interface of Foundation's `JSONEncoder`.
  ///
  ///     let encoder = JSON.Encoder()
  ///     encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
  ///     let data = try encoder.encode(user)
  ///
  /// The text equals Foundation's byte for byte, except for the order of members without ``OutputFormatting/sortedKeys``: here it
  /// is the order in which they were encoded. If a key is encoded several times, the last value is kept. Requesting two kinds of
  /// container in one place, for which Foundation traps, makes the whole call throw `EncodingError.invalidValue`. Values
  /// written to a container after the `encode(to:)` that created it has returned are lost, as with Foundation.
  ///
  /// An encoder can be used from several tasks at once. Each call uses the strategies that were set when it began.
  public final class Encoder: Sendable {
    /// The layout of the text.
    public struct OutputFormatting: OptionSet, Sendable {
      /// The options as bits, the same as Foundation's.
      public let rawValue: UInt

      /// Creates options from the bits in `rawValue`.
      public init(rawValue: UInt) { self.rawValue = rawValue }

      /// Writes each member or element on a separate line, indented by two spaces per level.
      public static let prettyPrinted = OutputFormatting(rawValue: 1 << 0)
      /// Sorts members by the bytes of their keys in UTF-8.
      public static let sortedKeys = OutputFormatting(rawValue: 1 << 1)
      /// Writes `/` instead of `\/`.
      public static let withoutEscapingSlashes = OutputFormatting(rawValue: 1 << 3)
    }

    /// The format of `Date`.
    public enum DateEncodingStrategy: Sendable {
      /// Seconds since 2001, in the form in which `Date` encodes itself.
      case deferredToDate
      /// A number of seconds since 1970.
      case secondsSince1970
      /// A number of milliseconds since 1970.
      case millisecondsSince1970
      /// A string such as `2026-11-21T08:00:00Z`, without the fraction of the second, as Foundation writes it. Source: RFC 3339.
      case iso8601
      /// A string such as `2026-11-21T08:00:00.250Z`, as ``JSON/write(_:)`` and the client write it. The fraction of the second has 0, 3, 6
      /// or 9 digits: the fewest that preserve the date. Source: RFC 3339.
      case rfc3339
      /// Encodes with a function. If it writes nothing, the value is an empty object.
      case custom(@Sendable (_ date: Date, _ encoder: any Swift.Encoder) throws -> Void)
    }

    /// The format of `Data`.
    public enum DataEncodingStrategy: Sendable {
      /// An array of bytes, in the form in which `Data` encodes itself.
      case deferredToData
      /// A string in Base64. Source: RFC 4648 §4.
      case base64
      /// Encodes with a function. If it writes nothing, the value is an empty object.
      case custom(@Sendable (_ data: Data, _ encoder: any Swift.Encoder) throws -> Void)
    }

    /// The handling of floating-point values that JSON numbers cannot represent.
    public enum NonConformingFloatEncodingStrategy: Sendable {
      /// Such values are not encoded; an error is thrown.
      case `throw`
      /// Encodes such values as these strings.
      case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// The conversion of keys of the type to keys in the text.
    public enum KeyEncodingStrategy: Sendable {
      /// Keys are not converted.
      case useDefaultKeys
      /// Converts `userName` to `user_name`. Underscores at the beginning and end are kept.
      case convertToSnakeCase
      /// Converts with a function that receives the path to the key, including the key.
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

    let options = Mutex(Options())
    /// True until an option is set. It is read without the lock, because locking took 3 % of the time to encode 500 bytes.
    let hasDefaultOptions = Atomic<Bool>(true)
    /// The last type that was found not to be ``JSONDirectlyEncodable``, stored so that it is not looked up again.
    let typeWithContainers = Atomic<UInt>(0)
    /// The working memory of the last call, for reuse by the next one.
    private let spareMemory = Mutex<EncodingMemory?>(nil)

    /// Creates an encoder with the default strategies.
    public init() {}

    private func setOption<Value>(_ option: WritableKeyPath<Options, Value>, to value: Value) {
      options.withLock {
        $0[keyPath: option] = value
        hasDefaultOptions.store(false, ordering: .releasing)
      }
    }

    deinit {
      if let memory = spareMemory.withLock({ $0.take() }) { EncodingMemory.pool.give(memory) }
    }

    /// The layout of the text. By default there is no white space, members are in encoding order, and `/` is escaped.
    public var outputFormatting: OutputFormatting {
      get { options.withLock(\.formatting) }
      set { setOption(\.formatting, to: newValue) }
    }

    /// The format of `Date`. The default is `deferredToDate`.
    public var dateEncodingStrategy: DateEncodingStrategy {
      get { options.withLock(\.dates) }
      set { setOption(\.dates, to: newValue) }
    }

    /// The format of `Data`. The default is `base64`.
    public var dataEncodingStrategy: DataEncodingStrategy {
      get { options.withLock(\.data) }
      set { setOption(\.data, to: newValue) }
    }

    /// The handling of infinities and NaN. By default an error is thrown.
    public var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy {
      get { options.withLock(\.floats) }
      set { setOption(\.floats, to: newValue) }
    }

    /// The conversion of keys. By default keys are not converted. Keys of a `Dictionary` with `String` keys are never converted.
    public var keyEncodingStrategy: KeyEncodingStrategy {
      get { options.withLock(\.keys) }
      set { setOption(\.keys, to: newValue) }
    }

    /// The contextual information that types receive in the `userInfo` of their encoder.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
      get { options.withLock(\.userInfo) }
      set { setOption(\.userInfo, to: newValue) }
    }

    /// Encodes `value` as JSON text in UTF-8.
    ///
    /// - Throws: `EncodingError.invalidValue` for a value that has no JSON form, encodes nothing, or nests containers
    ///   more than 511 deep. Also any error thrown by the value's `encode(to:)`.
    /// - Complexity: O(*n*), where *n* is the length of the text. With sorted keys, sorting adds *m* log *m* for each object of *m*
    ///   members.
    public func encode<T: Encodable>(_ value: T) throws -> Data {
      if let data = direct(value) { return data }
      return try encodeWithContainers(value)
    }

    /// Encodes `value` with its `encode(to:)`, even if its type is ``JSONDirectlyEncodable``.
    @usableFromInline
    func encodeWithContainers<T: Encodable>(_ value: T) throws -> Data {
      try run(value) { session, root in
        try session.write(value, at: root)
      }
    }

    /// Encodes `value` as JSON text with `configuration`.
    ///
    /// - Throws: The same errors as `encode(_:)`.
    public func encode<T: EncodableWithConfiguration>(
      _ value: T, configuration: T.EncodingConfiguration
    ) throws -> Data {
      try run(value) { session, root in
        try value.encode(to: SlotEncoder(session: session, identity: root), configuration: configuration)
      }
    }

    /// Encodes `value` as JSON text with the configuration of `provider`.
    ///
    /// - Throws: The same errors as `encode(_:)`.
    public func encode<T: EncodableWithConfiguration, C: EncodingConfigurationProviding>(
      _ value: T, configuration provider: C.Type
    ) throws -> Data where T.EncodingConfiguration == C.EncodingConfiguration {
      try encode(value, configuration: C.encodingConfiguration)
    }

    private func run<T>(_ value: T, _ encode: (EncodingSession, _ root: Int) throws -> Void) throws -> Data {
      EscapedContainers.sweep()
      let memory = spareMemory.withLock { $0.take() } ?? EncodingMemory.pool.take() ?? EncodingMemory()
      var session = EncodingSession(options: options.withLock(\.self), memory: memory)
      var isReusable = false
      defer {
        // An encoder or container that is still referenced keeps the session alive, and with it the memory.
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

extension EncodingError {
  /// Creates an error that can be printed, whatever `value` is.
  ///
  /// The description of an error contains that of the value. The description of a date that is NaN ends the process, as does that of a value
  /// that contains such a date. The error therefore contains the seconds since 2001 instead of a date, and the type instead of a value that
  /// is not a number, a string, a Boolean or a `JSON`.
  package static func unencodable(
    _ value: Any, at codingPath: [any CodingKey], _ reason: String, underlyingError: (any Error)? = nil
  ) -> EncodingError {
    let printable: Any =
      switch value {
      case let date as Date: date.timeIntervalSinceReferenceDate
      case is String, is Bool, is any BinaryInteger, is any BinaryFloatingPoint, is Decimal, is JSON: value
      default: type(of: value)
      }
    return .invalidValue(
      printable, Context(codingPath: codingPath, debugDescription: reason, underlyingError: underlyingError))
  }
}

/// The working memory of a session, which can be reused by the next call of the same encoder or of another one.
///
/// `@unchecked Sendable`: only one session at a time uses it. The encoder hands it out under a lock, and takes it back only from
/// a session without other references.
final class EncodingMemory: @unchecked Sendable {
  /// The maximum size of the text memory that is kept.
  private static let keptCapacity = 1 << 16

  let output = OutputMemory(capacity: 1024)
  let slots = SessionStack<ValueSlot>(capacity: 16)
  let members = SessionStack<EncodedMember>(capacity: 64)
  let keys = SessionStack<any CodingKey>(capacity: 16)
  let shortcuts = ShortcutMemory<EncodingShortcut>()
  let containers = ContainerMemory<ObjectFrame.State>()
  let main = TextFragment(parent: nil, root: 0)

  static let pool = MemoryPool<EncodingMemory>()

  deinit {
    output.deallocate()
    slots.deallocate()
    members.deallocate()
    keys.deallocate()
    shortcuts.deallocate()
    containers.deallocate()
  }

  /// Removes everything except the cached information about types.
  ///
  /// - Returns: True if the memory is worth keeping.
  func reset() -> Bool {
    output.truncate(to: 0)
    slots.truncate(to: 0)
    members.truncate(to: 0)
    keys.truncate(to: 0)
    return output.capacity <= Self.keptCapacity
  }
}
