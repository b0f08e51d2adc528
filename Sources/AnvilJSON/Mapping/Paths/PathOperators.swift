/// Binds the operators `=>` and `=>?` tighter than casts and from the right, so that in `json => "a" => "b"` the path is
/// joined before it is followed.
precedencegroup DecodingPrecedence {
  associativity: right
  higherThan: CastingPrecedence
}

infix operator => : DecodingPrecedence
infix operator =>? : DecodingPrecedence

/// The path `left` and then `right`: ``JSON/Path/appending(_:)-(JSON.Path)`` by name.
public func => (left: JSON.Path, right: JSON.Path) -> JSON.Path { left.appending(right) }

/// The path `left` and then `right`, whose steps must be there: ``JSON/OptionalPath/appending(_:)-(JSON.Path)`` by name.
public func => (left: JSON.OptionalPath, right: JSON.Path) -> JSON.OptionalPath { left.appending(right) }

/// The path `left` and then `right`, of which what stands directly behind the operator must be there.
///
/// Joins what is left of a `=>` with a chain that goes on with `=>?`: in `"a" => "b" =>? "c"` only `b` must be there.
/// Disfavoured, so that chains of `=>` alone have one reading.
@_disfavoredOverload
public func => (left: JSON.OptionalPath, right: JSON.OptionalPath) -> JSON.OptionalPath {
  left.appending(right.requiringFirst)
}

/// The path `left` and then `right`, each step as strict as it was:
/// ``JSON/OptionalPath/appending(_:)-(JSON.OptionalPath)`` by name.
public func =>? (left: JSON.OptionalPath, right: JSON.OptionalPath) -> JSON.OptionalPath { left.appending(right) }

/// The path `left`, all of which must be there, and then `right`: ``JSON/Path/appending(_:)-(JSON.OptionalPath)`` by name.
///
/// For a ``JSON/Path`` that a variable holds. Disfavoured, so that literals on both sides have one reading.
@_disfavoredOverload
public func =>? (left: JSON.Path, right: JSON.OptionalPath) -> JSON.OptionalPath { left.appending(right) }
