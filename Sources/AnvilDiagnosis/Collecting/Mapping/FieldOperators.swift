public import AnvilJSON

/// The operators of ``JSON/Fields``: `=>` and `=>?` for fields whose errors are kept.
///
/// They are separate operators, not overloads of `=>`. If one of many fields in a call has a wrong type, the compiler names it; with
/// overloads, it would give up. For strategies, use ``JSON/Fields/value(at:with:)-(JSON.Path,JSON.DecodingStrategy<Value>)``.
infix operator ==> : DecodingPrecedence
infix operator ==>? : DecodingPrecedence

/// Returns the value at `path`. The operator form of ``JSON/Fields/value(at:)``.
///
///     let login: JSON.Field<String> = fields ==> "owner" => "login"
public func ==> <T: JSONDecodable>(fields: JSON.Fields, path: JSON.Path) -> JSON.Field<T> { fields.value(at: path) }

/// Returns the value at `path`; `nil` if an optional step is missing, and for `null`. The operator form of
/// ``JSON/Fields/value(ifPresentAt:)``.
///
///     let city: JSON.Field<String?> = fields ==>? "owner" =>? "address" => "city"
///
/// If the first steps are required, write `fields ==>? JSON.OptionalPath(requiring: "owner") =>? "address"`.
public func ==>? <T: JSONDecodable>(fields: JSON.Fields, path: JSON.OptionalPath) -> JSON.Field<T?> {
  fields.value(ifPresentAt: path)
}
