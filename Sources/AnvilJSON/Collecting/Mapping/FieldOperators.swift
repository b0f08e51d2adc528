/// The operators of ``JSON/Fields``: `=>` and `=>?` for fields whose errors are kept.
///
/// Of their own, and not `=>` again, and each with one meaning: with two the compiler gave up on 20 fields in one call;
/// now 30 take it no time. Strategies are for ``JSON/Fields/value(at:with:)-(JSON.Path,JSON.DecodingStrategy<Value>)``.
infix operator ==> : DecodingPrecedence
infix operator ==>? : DecodingPrecedence

/// The value at `path`: ``JSON/Fields/value(at:)`` by name.
///
///     let login: JSON.Field<String> = fields ==> "owner" => "login"
public func ==> <T: JSONDecodable>(fields: JSON.Fields, path: JSON.Path) -> JSON.Field<T> { fields.value(at: path) }

/// The value at `path`; `nil` when a step that may be missing is, and for `null`: ``JSON/Fields/value(ifPresentAt:)``
/// by name.
///
///     let city: JSON.Field<String?> = fields ==>? "owner" =>? "address" => "city"
///
/// Where the first steps must be there, `fields ==>? JSON.OptionalPath(requiring: "owner") =>? "address"`.
public func ==>? <T: JSONDecodable>(fields: JSON.Fields, path: JSON.OptionalPath) -> JSON.Field<T?> {
  fields.value(ifPresentAt: path)
}
