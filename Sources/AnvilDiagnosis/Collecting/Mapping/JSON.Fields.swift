public import AnvilJSON

extension JSON {
  /// This value, prepared for looking up fields so that all errors are reported. Each lookup returns a ``Field``, and
  /// ``Fields/combine(_:into:)`` creates a result from all of them or throws all of their errors.
  public var fields: Fields { Fields(json: self) }

  /// A value whose fields are all looked up, regardless of errors in others.
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
  /// If the fields match the properties, `into: Repository.init` is equivalent. Arrays and dictionaries decode all of
  /// their elements: ``JSONDecodable/decodeAll(_:)``.
  public struct Fields: Sendable {
    /// The value that has the fields.
    let json: JSON

    /// Returns the value at `path`. The named form of `self ==> path`.
    ///
    /// `null` is valid only if `T` is optional. The field's error is the one that `JSON.value(at:)` throws.
    public func value<T: JSONDecodable>(at path: Path) -> Field<T> {
      value(at: path, with: T.decodeAll)
    }

    /// Returns the value at `path`; `nil` if an optional step is missing, and for `null`. The named form of `self ==>? path`.
    ///
    /// The field's error is the one that `JSON.value(ifPresentAt:)` throws.
    public func value<T: JSONDecodable>(ifPresentAt path: OptionalPath) -> Field<T?> {
      value(ifPresentAt: path, with: T.decodeAll)
    }

    /// Returns the value at `path`, decoded by `strategy`.
    public func value<Value>(at path: Path, with strategy: DecodingStrategy<Value>) -> Field<Value> {
      value(at: path, with: strategy.decode)
    }

    /// Returns the value at `path`, decoded by `decode`.
    ///
    /// - Parameter decode: called once, and not for a missing key. Path, object and root are added to an error that it throws.
    public func value<Value>(at path: Path, with decode: (JSON) throws -> Value) -> Field<Value> {
      field { try json.value(at: path, with: decode) }
    }

    /// Returns the value at `path`, decoded by `strategy`; `nil` if an optional step is missing, and for `null`.
    public func value<Value>(
      ifPresentAt path: OptionalPath, with strategy: DecodingStrategy<Value>
    ) -> Field<Value?> {
      value(ifPresentAt: path, with: strategy.decode)
    }

    /// Returns the value at `path`, decoded by `decode`; `nil` if an optional step is missing, and for `null`.
    ///
    /// - Parameter decode: called once, and neither for a missing key nor for `null`.
    public func value<Value>(
      ifPresentAt path: OptionalPath, with decode: (JSON) throws -> Value
    ) -> Field<Value?> {
      field { try json.value(ifPresentAt: path, with: decode) }
    }

    private func field<Value>(_ decode: () throws -> Value) -> Field<Value> {
      do {
        return Field(try decode())
      } catch {
        return Field(failing: error as? any JSONDecodingError ?? json.locating(error, at: Path(), in: json))
      }
    }

    /// Returns the result of `make` for the values of all `fields`. `make` is called only if every field has a value.
    ///
    /// - Throws: the error of the fields if they failed with a single error; ``JSONDecodingErrors`` if they failed with several different
    ///   ones; any error that `make` throws.
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
