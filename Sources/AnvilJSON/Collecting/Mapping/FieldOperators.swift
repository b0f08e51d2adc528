/// The value at `path`: ``JSON/Fields/value(at:)`` by name.
///
///     let login: JSON.Field<String> = fields => "owner" => "login"
public func => <T: JSONDecodable>(fields: JSON.Fields, path: JSON.Path) -> JSON.Field<T> { fields.value(at: path) }

/// The value at `path`; `nil` when a step that may be missing is, and for `null`: ``JSON/Fields/value(ifPresentAt:)`` by
/// name.
public func =>? <T: JSONDecodable>(fields: JSON.Fields, path: JSON.OptionalPath) -> JSON.Field<T?> {
  fields.value(ifPresentAt: path)
}

/// The value at `path`, of which what stands directly behind the operator must be there; `nil` when a later step is missing,
/// and for `null`.
///
///     let city: JSON.Field<String?> = fields => "owner" =>? "address"
///
/// The same as `fields =>? JSON.OptionalPath(requiring: "owner") =>? "address"`. Disfavoured, so that chains of `=>` alone
/// have one reading.
@_disfavoredOverload
public func => <T: JSONDecodable>(fields: JSON.Fields, path: JSON.OptionalPath) -> JSON.Field<T?> {
  fields.value(ifPresentAt: path.requiringFirst)
}

/// What the strategy makes of the value at the path:
/// ``JSON/Fields/value(at:with:)-(JSON.Path,JSON.DecodingStrategy<Value>)`` by name.
public func => <Value>(
  fields: JSON.Fields, target: (JSON.Path, JSON.DecodingStrategy<Value>)
) -> JSON.Field<Value> {
  fields.value(at: target.0, with: target.1)
}

/// What the strategy makes of the value at the path; `nil` when a step that may be missing is, and for `null`:
/// ``JSON/Fields/value(ifPresentAt:with:)-(JSON.OptionalPath,JSON.DecodingStrategy<Value>)`` by name.
public func =>? <Value>(
  fields: JSON.Fields, target: (JSON.OptionalPath, JSON.DecodingStrategy<Value>)
) -> JSON.Field<Value?> {
  fields.value(ifPresentAt: target.0, with: target.1)
}
