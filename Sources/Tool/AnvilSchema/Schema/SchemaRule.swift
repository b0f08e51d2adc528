internal import AnvilJSON

/// A compiled schema. It refers to other schemas by their index in ``JSONSchema/nodes``.
struct SchemaNode: Sendable {
  /// The path in the schema document.
  let steps: [JSON.Step]
  /// The number of the schema resource (by `$id`) that contains the schema.
  let resource: Int
  /// The rules, in the order in which they are checked.
  var rules: [SchemaRule] = []
}

/// A rule compiled from one keyword, or from several that belong together.
enum SchemaRule: Sendable {
  /// The schema `false`, which no value matches.
  case nothing
  case types([SchemaType])
  case constant(JSON)
  case oneOf(values: [JSON])
  case bound(NumberBound)
  case multiple(of: ExactNumber, text: String)
  case minimum(Measure, Int)
  case maximum(Measure, Int)
  case pattern(String)
  case format(StringFormat)
  /// The required keys, each with the schema of its member if there is one.
  case required([(key: String, schema: Int?)])
  case dependentRequired([(key: String, keys: [String])])
  case dependentSchemas([(key: String, schema: Int)])
  case names(Int)
  case members(MemberRules)
  case elements(prefix: [Int], rest: Int?)
  case unique
  case contains(Int, atLeast: Int, atMost: Int?)
  case all([Int])
  case any([Int])
  case one([Int])
  case not(Int)
  case condition(if: Int, then: Int?, else: Int?)
  case reference(Int)
  /// A `$dynamicRef` to a `$dynamicAnchor`. Other resources may have a schema with the same anchor.
  case dynamicReference(Int, anchor: String)
  case unevaluatedMembers(Int)
  case unevaluatedElements(Int)
}

/// A countable property of a value.
enum Measure: Sendable {
  /// The Unicode scalars of a string.
  case characters
  /// The elements of an array.
  case elements
  /// The members of an object.
  case members
}

/// A limit of a range of numbers.
struct NumberBound: Sendable {
  enum Side: Sendable {
    case atLeast
    case above
    case atMost
    case below
  }

  let side: Side
  let value: ExactNumber
  /// The number as written in the schema.
  let text: String
}

/// The schemas of an object's members.
struct MemberRules: Sendable {
  /// The schemas by key. A key is a ``JSON/Step/key(_:)`` here and not a `String`, because strings are equal if they are canonically
  /// equivalent, and steps only if their scalars are the same.
  var named: [JSON.Step: Int] = [:]
  var patterns: [(pattern: String, schema: Int)] = []
  var others: Int?
}

/// A type of JSON Schema.
enum SchemaType: String, CaseIterable, Sendable {
  case null
  case boolean
  case integer
  case number
  case string
  case array
  case object

  var kind: JSON.Kind {
    switch self {
    case .null: .null
    case .boolean: .bool
    case .integer, .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  var phrase: String {
    switch self {
    case .null: "null"
    case .boolean: "true or false"
    case .integer: "an integer"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// Returns whether `value` is of this type. A number without a fraction is an integer even if it is written as `1.0`.
  func includes(_ value: JSON) -> Bool {
    guard value.kind == kind else { return false }
    guard self == .integer else { return true }
    return value.exactNumber?.isInteger ?? false
  }
}

extension JSON {
  /// The number with all of its digits; `nil` for other values and for numbers that JSON cannot represent.
  var exactNumber: ExactNumber? { numberText.flatMap { ExactNumber($0) } }
}
