@_exported import AnvilJSON

/// Makes a struct, an enum or a final class readable and writable as JSON.
///
///     @JSONCodable
///     struct User {
///       var id: Int
///       @CodingKey("full_name") var name: String
///       @CodableDefault([]) var tags: [String]
///       @CodableBy(.secondsSince1970) var joined: Date
///     }
///     let user = try JSON.read(User.self, from: data)
///
/// The type becomes ``JSONReadable``, ``JSONWritable``, ``JSONDecodable`` and `Codable`. All of them read and write the
/// same texts, so that the model works with ``JSON/Decoder``, `=>`, property lists, forms and the store. ``JSON/Decoder`` and
/// ``JSON/Encoder`` read and write such types on the direct path, that is, without the containers of `Codable`, unless one of their
/// strategies requires containers.
///
/// A key is the name of the property, unless a marker specifies another one. An optional property may be missing or `null`, and is not
/// written if it is `nil`. A constant with an initial value is written and not read. The type of a property need only be `Codable`, but it
/// is coded faster if it is ``JSONReadable`` and ``JSONWritable``.
///
/// If a struct is declared to be `DecoderUpdatable` and has no generic parameters, an update also keeps the values of variables that are not
/// coded. An `update(from:)` in the body of the type takes precedence.
///
/// A macro cannot see the generic parameters of a type that the model extends: a model with values of type `T` is declared in
/// `extension Outer where T: Codable`, if not in `Outer` itself.
///
/// The cases of an enum with raw values are coded as their raw values. Any other enum is coded as the compiler's `Codable` does,
/// `{"circle": {"radius": 1}}`, or as specified by ``JSONTagged(by:content:)``. An enum with a ``CodableUnknown()`` case is coded as the
/// name of the case if the other cases have no values. A case that is unavailable on all platforms is not coded.
@attached(
  extension,
  conformances: JSONReadable, JSONWritable, JSONDecodable, Decodable, Encodable,
  JSONDirectlyDecodable, JSONDirectlyEncodable, _TaggedByMember, names: named(CodingKeys),
  named(JSONCodingKeys), named(_tagKey), named(_taggedValues), named(init), named(read), named(update),
  named(_keyAliases), named(decode), named(write),
  named(encode))
@attached(
  member, names: named(_tagKey), named(_taggedValues), named(JSONMembers), named(CodingKeys), named(JSONCodingKeys),
  named(init), named(read), named(update), named(_keyAliases), named(decode), named(write), named(encode))
public macro JSONCodable() = #externalMacro(module: "AnvilMacros", type: "CodableMacro")

/// Makes a struct, an enum or a final class readable from JSON, as ``JSONCodable()`` does.
@attached(
  extension, conformances: JSONReadable, JSONDecodable, Decodable, JSONDirectlyDecodable,
  _TaggedByMember, names: named(_tagKey), named(_taggedValues), named(CodingKeys), named(JSONCodingKeys), named(init),
  named(read), named(update), named(_keyAliases), named(decode))
@attached(
  member, names: named(_tagKey), named(_taggedValues), named(JSONMembers), named(CodingKeys), named(JSONCodingKeys),
  named(init), named(read), named(update), named(_keyAliases), named(decode))
public macro JSONDecodable() = #externalMacro(module: "AnvilMacros", type: "DecodableMacro")

/// Makes a struct, an enum or a final class writable as JSON, as ``JSONCodable()`` does.
@attached(
  extension, conformances: JSONWritable, Encodable, JSONDirectlyEncodable, _TaggedByMember,
  names: named(_tagKey), named(_taggedValues), named(CodingKeys), named(JSONCodingKeys), named(write), named(encode))
@attached(
  member, names: named(_tagKey), named(_taggedValues), named(JSONMembers), named(CodingKeys), named(JSONCodingKeys),
  named(init), named(write), named(encode))
public macro JSONEncodable() = #externalMacro(module: "AnvilMacros", type: "EncodableMacro")

/// The key of a property, or the text that identifies a case.
///
///     @CodingKey("full_name") var name: String
///     @CodingKey("owner", "login") var owner: String     // {"owner": {"login": "ada"}}
///
/// Several keys form a path: each key except the last leads to an object. If no value of such an object is required, it may be missing or
/// `null`, and its values are then missing. It is not written if all values are optional and `nil`.
@attached(peer)
public macro CodingKey(_ keys: StaticString...) = #externalMacro(module: "AnvilMacros", type: "MarkerMacro")

/// The number or the Boolean that identifies a case of an enum with ``JSONTagged(by:content:)``.
///
///     @CodingKey(1) case created(User)      // {"type": 1, …}
///     @CodingKey(true) case success(User)   // {"ok": true, …}
///
/// The same number in a string, such as `"1"`, identifies the case too.
@attached(peer)
public macro CodingKey(_ tag: _TagLiteral) = #externalMacro(module: "AnvilMacros", type: "MarkerMacro")

/// Other numbers or Booleans that identify a case of an enum with ``JSONTagged(by:content:)``. They are never written.
@attached(peer)
public macro CodableAlias(_ tags: _TagLiteral...) = #externalMacro(module: "AnvilMacros", type: "MarkerMacro")

/// A number or a Boolean that identifies a case. The macros read the literal.
public struct _TagLiteral: ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
  /// Accepts a number.
  public init(integerLiteral value: Int) {}
  /// Accepts a Boolean.
  public init(booleanLiteral value: Bool) {}
}

/// Other keys of a property, which are tried in this order if its key is missing. They are never written.
///
///     @CodableAlias("userName", "login") var name: String
@attached(peer)
public macro CodableAlias(_ keys: StaticString...) = #externalMacro(module: "AnvilMacros", type: "MarkerMacro")

/// The value of a property whose key is missing. For a property that is not optional, `null` counts as missing. An optional property that
/// is `nil` is written as `null`.
///
///     @CodableDefault(0) var stars: Int
///     @CodableDefault([]) var tags: [String]
///     @CodableDefault([]) @LossyArray var friends: [User]
///
/// - Parameter value: An expression that is evaluated whenever it is needed.
@attached(peer)
public macro CodableDefault<Value>(_ value: Value) = #externalMacro(module: "AnvilMacros", type: "MarkerMacro")

/// The value of a property whose key is missing: an empty array or set.
@attached(peer)
public macro CodableDefault(_ value: [Never]) = #externalMacro(module: "AnvilMacros", type: "MarkerMacro")

/// The value of a property whose key is missing: an empty dictionary.
@attached(peer)
public macro CodableDefault(_ value: [String: Never]) = #externalMacro(module: "AnvilMacros", type: "MarkerMacro")

/// The value of an optional property whose key is missing: `nil`, as without this marker.
@attached(peer)
public macro CodableDefault(_ value: Never?) = #externalMacro(module: "AnvilMacros", type: "MarkerMacro")

/// Uses the initial value of a property if its key is missing.
///
///     @CodableDefault var sort: Sort = .byName
@attached(peer)
public macro CodableDefault() = #externalMacro(module: "AnvilMacros", type: "MarkerMacro")

/// Derives the keys of a type from the names of its properties or cases. ``CodingKey(_:)-4pj8a`` takes precedence.
///
///     @JSONCodable @CodableNaming(.snakeCase)
///     struct User {
///       var fullName: String      // full_name
///     }
@attached(peer)
public macro CodableNaming(_ naming: KeyNaming) = #externalMacro(module: "AnvilMacros", type: "MarkerMacro")

/// Codes a property with a strategy instead of its type's coding.
///
///     @CodableBy(.secondsSince1970) var joined: Date
///
/// The strategy takes precedence over the strategies of a coder. For an optional property, it codes the values that are
/// not `nil`. For an array, a set, or a dictionary with keys of type `String`, it codes the elements, also in inner containers, unless it is
/// a strategy for the container itself:
///
///     @CodableBy(.iso8601) var dates: [String: [Date?]]
@attached(peer)
public macro CodableBy<Strategy: CodableStrategy>(_ strategy: Strategy) =
  #externalMacro(module: "AnvilMacros", type: "MarkerMacro")

/// Leaves a property out of the coding. The property needs an initial value, which it has in all decoded instances.
@attached(peer)
public macro CodableIgnored() = #externalMacro(module: "AnvilMacros", type: "MarkerMacro")

/// Writes `null` for an optional property that is `nil`, instead of leaving its member out.
///
///     @CodableNull var parent: Int?                      // {"parent": null}
///     @CodableNull @CodableBy(.iso8601) var end: Date?   // {"end": null}
///
/// Reading is not affected: a missing member and `null` are `nil`. To tell them apart, declare an optional of an optional, such as `Int??`,
/// without this marker: `nil` is not written, and `.some(nil)` is written as `null`.
@attached(peer)
public macro CodableNull() = #externalMacro(module: "AnvilMacros", type: "MarkerMacro")

/// Stores the members of the object for which the type has no other property.
///
///     @JSONCodable
///     struct Event {
///       var id: Int
///       @CodableRest var other: [String: JSON]
///     }
///
/// The property is a dictionary with keys of type `String`. At most one property of a type can have this marker. Its members are written
/// after the others, in the order of their keys. A member with the key or an alias of another property is not written.
///
/// The keys are data: as those of a dictionary, the strategies of a ``JSON/Decoder`` and a ``JSON/Encoder`` do not convert them.
///
/// If the type is the value of a case of an enum with ``JSONTagged(by:content:)``, in the same object as the tag, the tag belongs to the enum
/// and not to the rest, unless the case is ``CodableUnknown()``.
///
/// If a `DecoderUpdatable` type is updated, members of the input replace members with the same keys. The others are kept.
@attached(peer)
public macro CodableRest() = #externalMacro(module: "AnvilMacros", type: "MarkerMacro")

/// Identifies the cases of an enum by a member of the object: a string, a number or a Boolean.
///
///     @JSONCodable @JSONTagged(by: "type")
///     enum Shape {
///       case circle(radius: Double)       // {"type": "circle", "radius": 1}
///       case polygon(Polygon)             // {"type": "polygon", "corners": […]}
///       @CodableUnknown case other(JSON)  // any other value, also without a type
///     }
///
/// - Parameters:
///   - tag: The key of the member with the name of the case.
///   - content: The key of the member with the values of the case: `{"type": "circle", "content": {"radius": 1}}`. If `content` is `nil`,
///     the values are next to the tag.
@attached(peer)
public macro JSONTagged(by tag: StaticString, content: StaticString? = nil) =
  #externalMacro(module: "AnvilMacros", type: "MarkerMacro")

/// Identifies the cases of an enum by the only key of an object, and cases without values by a string.
///
///     @JSONCodable @JSONTagged
///     enum Filter {
///       case all                  // "all"
///       case named(String)        // {"named": "ada"}
///       case newer(than: Int)     // {"newer": {"than": 3}}
///     }
@attached(peer)
public macro JSONTagged() = #externalMacro(module: "AnvilMacros", type: "MarkerMacro")

/// The case for all unknown texts, such as those that a newer server sends. In an enum with ``JSONTagged(by:content:)``, it is also the case
/// for values whose tag is missing or `null`.
///
///     @JSONCodable
///     enum State {
///       case open, closed
///       @CodableUnknown case other(String)
///     }
///
/// The case has no value, or one value without a label, which contains the text or object that was read.
@attached(peer)
public macro CodableUnknown() = #externalMacro(module: "AnvilMacros", type: "MarkerMacro")

/// A conversion from names in code to keys.
public enum KeyNaming: Sendable {
  /// The name as in code: `fullName`.
  case camelCase
  /// Words joined by underscores: `full_name`.
  case snakeCase
  /// Words in upper case, joined by underscores: `FULL_NAME`.
  case upperSnakeCase
  /// Words joined by hyphens: `full-name`.
  case kebabCase
  /// Words in upper camel case: `FullName`.
  case pascalCase
  /// The name in lower case: `fullname`.
  case lowercase
}
