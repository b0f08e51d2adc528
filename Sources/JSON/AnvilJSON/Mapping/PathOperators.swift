/// The precedence of the operators `=>` and `=>?`: higher than casts, and grouped from the right. In `json => "a" => "b"` the path is
/// therefore joined before it is followed.
precedencegroup DecodingPrecedence {
  associativity: right
  higherThan: CastingPrecedence
}

infix operator => : DecodingPrecedence
infix operator =>? : DecodingPrecedence

/// Returns the path `left` followed by `right`. The same as ``JSON/Path/appending(_:)-(JSON.Path)``.
public func => (left: JSON.Path, right: JSON.Path) -> JSON.Path { left.appending(right) }

/// Returns the path `left` followed by `right`, whose steps are required. The same as ``JSON/OptionalPath/appending(_:)-(JSON.Path)``.
public func => (left: JSON.OptionalPath, right: JSON.Path) -> JSON.OptionalPath { left.appending(right) }

/// Returns the path `left` followed by `right`, whose first operand is required.
///
/// This overload joins the operand before `=>` with a chain that continues with `=>?`: in `"a" => "b" =>? "c"` only `b` is required. The
/// overload is disfavoured, so that chains of only `=>` are not ambiguous.
@_disfavoredOverload
public func => (left: JSON.OptionalPath, right: JSON.OptionalPath) -> JSON.OptionalPath {
  left.appending(right.requiringFirst)
}

/// Returns the path `left` followed by `right`. Each step stays required or optional. The same as
/// ``JSON/OptionalPath/appending(_:)-(JSON.OptionalPath)``.
public func =>? (left: JSON.OptionalPath, right: JSON.OptionalPath) -> JSON.OptionalPath { left.appending(right) }

/// Returns the path `left`, which is required, followed by `right`. The same as ``JSON/Path/appending(_:)-(JSON.OptionalPath)``.
///
/// Use this overload for a ``JSON/Path`` in a variable. The overload is disfavoured, so that literals on both sides are not ambiguous.
@_disfavoredOverload
public func =>? (left: JSON.Path, right: JSON.OptionalPath) -> JSON.OptionalPath { left.appending(right) }
