/// Ready-made defaults for properties whose key may be missing or whose value may be null: `@Default.False var isAdmin: Bool`.
///
/// Each of them can be combined with another lenient type: `@Default.Zero @NumberOrString var count: Int`.
public enum Default {
  /// `false`.
  public typealias False = DefaultValue<_FalseSource>
  /// `true`.
  public typealias True = DefaultValue<_TrueSource>
  /// 0, of any numeric type.
  public typealias Zero<Value: ExpressibleByIntegerLiteral & Decodable> = DefaultValue<_ZeroSource<Value>>
  /// 1, of any numeric type.
  public typealias One<Value: ExpressibleByIntegerLiteral & Decodable> = DefaultValue<_OneSource<Value>>
  /// An empty array or set.
  public typealias Empty<Value: ExpressibleByArrayLiteral & Decodable> = DefaultValue<_EmptySource<Value>>
  /// An empty dictionary.
  public typealias EmptyDictionary<Value: ExpressibleByDictionaryLiteral & Decodable> =
    DefaultValue<_EmptyDictionarySource<Value>>
  /// The empty string.
  public typealias EmptyString = DefaultValue<_EmptyStringSource>

  /// The source of ``False``.
  public enum _FalseSource: DefaultValueSource {
    /// `false`.
    public static var defaultValue: Bool { false }
  }

  /// The source of ``True``.
  public enum _TrueSource: DefaultValueSource {
    /// `true`.
    public static var defaultValue: Bool { true }
  }

  /// The source of ``Zero``.
  public enum _ZeroSource<Value: ExpressibleByIntegerLiteral & Decodable>: DefaultValueSource {
    /// 0.
    public static var defaultValue: Value { 0 }
  }

  /// The source of ``One``.
  public enum _OneSource<Value: ExpressibleByIntegerLiteral & Decodable>: DefaultValueSource {
    /// 1.
    public static var defaultValue: Value { 1 }
  }

  /// The source of ``Empty``.
  public enum _EmptySource<Value: ExpressibleByArrayLiteral & Decodable>: DefaultValueSource {
    /// `[]`.
    public static var defaultValue: Value { [] }
  }

  /// The source of ``EmptyDictionary``.
  public enum _EmptyDictionarySource<Value: ExpressibleByDictionaryLiteral & Decodable>: DefaultValueSource {
    /// `[:]`.
    public static var defaultValue: Value { [:] }
  }

  /// The source of ``EmptyString``.
  public enum _EmptyStringSource: DefaultValueSource {
    /// `""`.
    public static var defaultValue: String { "" }
  }
}
