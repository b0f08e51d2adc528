import SwiftSyntax

/// A stored property that is coded, or a value of an enumeration's case.
struct Property {
  /// The name in code, with backticks if it has some.
  var name: String
  /// The type; empty if a property wrapper has its own.
  var type: String
  /// The type without its `?`; `nil` if the type is not written as an optional.
  var wrapped: String?
  /// The keys from the object of the model to the value. There is more than one if the value is in an object of its own.
  var path: [String]
  /// Other keys for the same value, in the order in which they are tried.
  var aliases: [String] = []
  /// The names of the cases for ``aliases`` in the enumeration of keys.
  var aliasCases: [String] = []
  /// The expression for a value that is missing.
  var fallback: String?
  /// The expression of the strategy that codes the value.
  var strategy: String?
  /// True if the value is that of a property wrapper, which is coded as a whole.
  var isWrapped = false
  /// True if the property has its value from its declaration and cannot be decoded.
  var isConstant = false
  /// The name of the column; `nil` if it is that of the key.
  var columnName: String?
  /// True if the property identifies the row of a stored model.
  var isMatchKey = false
  /// `private `, `fileprivate `, `package ` or `public `; empty if the declaration says nothing.
  var access = ""
  /// The number of properties that are declared before it.
  var position = 0
  /// Where errors are shown.
  var node: Syntax

  /// The name without backticks.
  var plainName: String { name.filter { $0 != "`" } }
  /// The name as the label of an argument, where few words need backticks.
  var label: String {
    let isPlain = plainName.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isPlain && plainName != "inout" ? plainName : name
  }
  /// The name of the stored property.
  var storedName: String { isWrapped ? "_" + plainName : name }
  var isOptional: Bool { wrapped != nil }
  /// True if the value must be present.
  var isRequired: Bool { !isOptional && fallback == nil }
  /// The name of the column in the table of a stored model.
  var column: String { columnName ?? path.joined(separator: "_") }
  /// True if nothing is written for a `nil`.
  var isOmittable: Bool { isOptional && !isWrapped }
}

/// The members of an object: values, and objects that only group values.
struct MemberTree {
  indirect enum Entry {
    case value(Property)
    case object(key: String, MemberTree)
  }

  private(set) var entries: [Entry] = []
  /// True if the object is written even if all its values are left out.
  private var isAlwaysWritten = false

  init(_ properties: [Property]) {
    for property in properties { insert(property, at: property.path[...]) }
  }

  /// Creates the members of an object whose only member, or one of whose members, is an object with `properties` that is always written.
  init(_ properties: [Property], in key: String) {
    var tree = MemberTree(properties)
    tree.isAlwaysWritten = true
    entries = [.object(key: key, tree)]
  }

  private mutating func insert(_ property: Property, at path: ArraySlice<String>) {
    guard path.count > 1, let key = path.first else { return entries.append(.value(property)) }
    for (index, entry) in entries.enumerated() {
      if case .object(key, var tree) = entry {
        tree.insert(property, at: path.dropFirst())
        entries[index] = .object(key: key, tree)
        return
      }
    }
    var tree = MemberTree([])
    tree.insert(property, at: path.dropFirst())
    entries.append(.object(key: key, tree))
  }

  /// All values, those of inner objects included.
  var properties: [Property] {
    entries.flatMap { entry in
      switch entry {
      case .value(let property): [property]
      case .object(_, let tree): tree.properties
      }
    }
  }

  /// All values in the order of their declarations.
  var declared: [Property] { properties.sorted { $0.position < $1.position } }

  /// The members without those that cannot be decoded.
  var decoded: MemberTree { MemberTree(properties.filter { !$0.isConstant }) }

  /// True if a key has a slash.
  var hasSlashes: Bool { properties.contains { $0.path.contains { $0.contains("/") } } }

  /// True if the object may be missing or `null`.
  var isOptional: Bool { properties.allSatisfy { !$0.isRequired && !$0.isWrapped } }

  /// True if the object must be there, although no value says so: what a property wrapper is without it is not known.
  var isRequiredForWrappers: Bool { !isOptional && !properties.contains { $0.isRequired && !$0.isWrapped } }

  /// True if an object without values is not written.
  var isOmittable: Bool { !isAlwaysWritten && properties.allSatisfy(\.isOmittable) }
}
