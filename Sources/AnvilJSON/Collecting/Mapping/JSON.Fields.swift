extension JSON {
  /// This value, whose fields are looked up without an error ending the search: each comes as a ``Field``, and
  /// ``Fields/combine(_:into:)`` makes something from all of them, or throws all of their errors.
  public var fields: Fields { Fields(self) }

  /// A value whose fields are looked up all of them, whatever is wrong with the others.
  ///
  ///     static func decode(_ json: JSON) throws -> Repository {
  ///       let fields = json.fields
  ///       return try fields.combine(
  ///         fields ==> "id",
  ///         fields ==> "owner" => "login",
  ///         fields ==>? "homepage"
  ///       ) { Repository(id: $0, owner: $1, homepage: $2) }
  ///     }
  ///
  /// With as many fields as there are properties, `into: Repository.init` says the same. Arrays and dictionaries look
  /// at all of their elements: ``JSONDecodable/decodeAll(_:)``.
  public struct Fields: Sendable {
    /// The value.
    public let json: JSON

    /// The fields of `json`.
    public init(_ json: JSON) { self.json = json }

    /// The value at `path`: `self ==> path` by name.
    ///
    /// `null` is a `T` only where `T` is optional. The field's error is what ``JSON/value(at:)-(JSON.Path)`` throws.
    public func value<T: JSONDecodable>(at path: Path) -> Field<T> {
      value(at: path, with: T.decodeAll)
    }

    /// The value at `path`; `nil` when a step that may be missing is, and for `null`: `self ==>? path` by name.
    ///
    /// The field's error is what ``JSON/value(ifPresentAt:)`` throws.
    public func value<T: JSONDecodable>(ifPresentAt path: OptionalPath) -> Field<T?> {
      value(ifPresentAt: path, with: T.decodeAll)
    }

    /// What `strategy` makes of the value at `path`.
    public func value<Value>(at path: Path, with strategy: DecodingStrategy<Value>) -> Field<Value> {
      value(at: path, with: strategy.decode)
    }

    /// What `decode` makes of the value at `path`.
    ///
    /// - Parameter decode: is called once, and not for a missing key; what it throws is given path, object and root.
    public func value<Value>(at path: Path, with decode: (JSON) throws -> Value) -> Field<Value> {
      field { try json.value(at: path, with: decode) }
    }

    /// What `strategy` makes of the value at `path`; `nil` when a step that may be missing is, and for `null`.
    public func value<Value>(
      ifPresentAt path: OptionalPath, with strategy: DecodingStrategy<Value>
    ) -> Field<Value?> {
      value(ifPresentAt: path, with: strategy.decode)
    }

    /// What `decode` makes of the value at `path`; `nil` when a step that may be missing is, and for `null`.
    ///
    /// - Parameter decode: is called once, and neither for a missing key nor for `null`.
    public func value<Value>(
      ifPresentAt path: OptionalPath, with decode: (JSON) throws -> Value
    ) -> Field<Value?> {
      field { try json.value(ifPresentAt: path, with: decode) }
    }

    private func field<Value>(_ decode: () throws -> Value) -> Field<Value> {
      do {
        return Field(try decode())
      } catch {
        return Field(failing: error as? any JSONDecodingError ?? json.locating(error, at: Path(), index: json.index))
      }
    }

    /// What `make` makes of the values of all `fields`, which it is only called with when there are all.
    ///
    /// - Throws: the error of the one field that has one; ``JSONDecodingErrors`` when several have; what `make` throws.
    public func combine<each Part, Value>(
      _ fields: repeat Field<each Part>, into make: (repeat each Part) throws -> Value
    ) throws -> Value {
      var errors: [any JSONDecodingError] = []
      for error in repeat (each fields).error {
        if let error { errors.append(error) }
      }
      guard errors.isEmpty else { throw JSONDecodingErrors.joining(errors, in: json) }
      return try make(repeat (each fields).value)
    }
  }
}
