/// Ready-made defaults for properties whose key may be missing or whose value may be null: `@Default.False var isAdmin: Bool`.
///
/// Each of them can be combined with another lenient type: `@Default.Zero @NumberOrString var count: Int`.
public enum Default {
  /// `false`.
  public typealias False = DefaultValue<FalseSource>
  /// `true`.
  public typealias True = DefaultValue<TrueSource>
  /// 0, of any numeric type.
  public typealias Zero<Value: ExpressibleByIntegerLiteral & Decodable> = DefaultValue<ZeroSource<Value>>
  /// 1, of any numeric type.
  public typealias One<Value: ExpressibleByIntegerLiteral & Decodable> = DefaultValue<OneSource<Value>>
  /// An empty array or set.
  public typealias Empty<Value: ExpressibleByArrayLiteral & Decodable> = DefaultValue<EmptySource<Value>>
  /// An empty dictionary.
  public typealias EmptyDictionary<Value: ExpressibleByDictionaryLiteral & Decodable> =
    DefaultValue<EmptyDictionarySource<Value>>
  /// The empty string.
  public typealias EmptyString = DefaultValue<EmptyStringSource>

  /// The source of ``False``.
  public enum FalseSource: DefaultValueSource {
    /// `false`.
    public static var defaultValue: Bool { false }
  }

  /// The source of ``True``.
  public enum TrueSource: DefaultValueSource {
    /// `true`.
    public static var defaultValue: Bool { true }
  }

  /// The source of ``Zero``.
  public enum ZeroSource<Value: ExpressibleByIntegerLiteral & Decodable>: DefaultValueSource {
    /// 0.
    public static var defaultValue: Value { 0 }
  }

  /// The source of ``One``.
  public enum OneSource<Value: ExpressibleByIntegerLiteral & Decodable>: DefaultValueSource {
    /// 1.
    public static var defaultValue: Value { 1 }
  }

  /// The source of ``Empty``.
  public enum EmptySource<Value: ExpressibleByArrayLiteral & Decodable>: DefaultValueSource {
    /// `[]`.
    public static var defaultValue: Value { [] }
  }

  /// The source of ``EmptyDictionary``.
  public enum EmptyDictionarySource<Value: ExpressibleByDictionaryLiteral & Decodable>: DefaultValueSource {
    /// `[:]`.
    public static var defaultValue: Value { [:] }
  }

  /// The source of ``EmptyString``.
  public enum EmptyStringSource: DefaultValueSource {
    /// `""`.
    public static var defaultValue: String { "" }
  }
}
