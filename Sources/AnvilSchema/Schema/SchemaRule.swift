internal import AnvilJSON

/// A compiled schema: what it asks of a value. Schemas within it are numbers of others.
struct SchemaNode: Sendable {
  /// The way to it in the schema's document.
  let steps: [JSON.Step]
  /// Which of the document's resources, by `$id`, it is part of.
  let resource: Int
  /// What is asked for, in the order in which it is checked.
  var rules: [SchemaRule] = []
}

/// What one keyword, or a few that belong together, ask of a value.
enum SchemaRule: Sendable {
  /// `false`: no value will do.
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
  /// With the schema of the member, where there is one for its key.
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
  /// `$dynamicRef` to an anchor that other resources may have too.
  case dynamicReference(Int, anchor: String)
  case unevaluatedMembers(Int)
  case unevaluatedElements(Int)
}

/// What is counted in a value.
enum Measure: Sendable {
  /// The Unicode scalars of a string.
  case characters
  /// The elements of an array.
  case elements
  /// The members of an object.
  case members
}

/// The end of a range of numbers.
struct NumberBound: Sendable {
  enum Side: Sendable {
    case atLeast
    case above
    case atMost
    case below
  }

  let side: Side
  let value: ExactNumber
  /// As the schema writes it.
  let text: String
}

/// What the members of an object are, by their keys.
struct MemberRules: Sendable {
  /// By ``JSON/Step/key(_:)``, which tells apart what differs in its scalars.
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

  /// Whether `value` is of this type; whole numbers are integers however they are written.
  func includes(_ value: JSON) -> Bool {
    guard value.kind == kind else { return false }
    guard self == .integer else { return true }
    return value.exactNumber?.isInteger ?? false
  }
}

extension JSON {
  /// The number with all of its digits; `nil` for other values and what is no number of JSON.
  var exactNumber: ExactNumber? { numberText.flatMap { ExactNumber($0) } }
}
