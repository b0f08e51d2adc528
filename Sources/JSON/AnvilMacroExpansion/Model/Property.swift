import SwiftSyntax

/// A coded stored property, or an associated value of an enumeration's case.
struct Property {
  /// The name in code, including backticks.
  var name: String
  /// The type; empty if a property wrapper determines it.
  var type: String
  /// The type without any `?`; `nil` if the type is not written as an optional.
  var wrapped: String?
  /// True for an optional of an optional, which tells a missing value, `nil`, from `null`, `.some(nil)`.
  var isNullDistinct = false
  /// The path of keys from the model's object to the value. It has more than one key if the value is in a nested
  /// object, and none if the property contains the rest of the object.
  var path: [String]
  /// Other keys for the same value, in the order in which they are tried.
  var aliases: [String] = []
  /// The names of the key cases for ``aliases``.
  var aliasCases: [String] = []
  /// The expression for the default value.
  var fallback: PastedExpression?
  /// The expression for the initial value.
  var initialValue: PastedExpression?
  /// The expression for the default value of the stored property: for a property wrapper, a wrapper of the default.
  var storedFallback: String? { fallback.map { isWrapped ? ".init(wrappedValue: \($0.text))" : $0.text } }
  /// The expression of the strategy that codes the value.
  var strategy: PastedExpression?
  /// True if the property has a wrapper, which is coded as a whole.
  var isWrapped = false
  /// True if the property has a wrapper of another package.
  var isForeignWrapped = false
  /// True if the property is a constant with an initial value, which cannot be decoded.
  var isConstant = false
  /// The name of the column; `nil` if it is derived from the key.
  var columnName: String?
  /// True if the property identifies the row of a stored model.
  var isMatchKey = false
  /// The access modifier: `private `, `fileprivate `, `package `, `public ` or empty.
  var access = ""
  /// True if an associated value has a label.
  var isLabelled = false
  /// The number of preceding cases in the declaration, for an associated value.
  var caseIndex: Int?
  /// The number of preceding properties in the declaration.
  var position = 0
  /// The syntax node for error messages.
  var node: Syntax

  var plainName: String { name.filter { $0 != "`" } }
  /// The name as an argument label. Only a few words need backticks as labels.
  var label: String { plainName.isPlainIdentifier && plainName != "inout" ? plainName : name }
  /// The name as a part of generated identifiers. A raw identifier may have any characters.
  var identifier: String { numberedIdentifier ?? (plainName.isPlainIdentifier ? plainName : plainName.identifierPart) }
  /// The part of identifiers for a raw identifier, which differs from the other properties'.
  private(set) var numberedIdentifier: String?

  /// Gives properties with raw identifiers different parts of generated identifiers.
  static func number(_ properties: inout [Property]) {
    guard properties.contains(where: { !$0.plainName.isPlainIdentifier }) else { return }
    var scope = Scope(names: properties.map(\.plainName))
    for index in properties.indices where !properties[index].plainName.isPlainIdentifier {
      properties[index].numberedIdentifier = scope.name(properties[index].plainName.identifierPart)
    }
  }

  /// True if an identifier in the type is also the name of a member of the model. In an expression it would be the member.
  var isTypeHidden = false
  /// The expression for the type without its optionality.
  var metatype: String { Self.metatype(wrapped ?? type, isHidden: isTypeHidden) }
  /// The expression for the type.
  var fullMetatype: String { Self.metatype(type, isHidden: isTypeHidden) }

  /// Returns the expression for a type. In a generic argument, a name is always that of a type.
  static func metatype(_ type: String, isHidden: Bool) -> String {
    isHidden ? "Swift.Array<\(type)>.Element.self" : "\(type).self"
  }
  /// The name as a part of the names of declarations in ``ScopedMembers``, where no other value of the model has it.
  var scopedName: String { caseIndex.map { "\(identifier)_\($0)" } ?? identifier }
  var storedName: String { isWrapped ? Self.storage(of: plainName) : name }

  /// Returns the name of the stored property that a property wrapper adds.
  static func storage(of plainName: String) -> String {
    plainName.isPlainIdentifier ? "_\(plainName)" : "`_\(plainName)`"
  }
  var isOptional: Bool { wrapped != nil }
  /// True if the property contains the members of the object for which the model has no other property.
  var isRest: Bool { path.isEmpty }
  var isRequired: Bool { !isOptional && fallback == nil }
  var column: String { columnName ?? path.joined(separator: "_") }
  /// True if a `nil` value is written as `null` although the property is optional.
  var isNullWritten = false
  /// True if a `nil` value is not written. With another default, a missing member would be read as the default.
  var isOmittable: Bool { isOptional && !isWrapped && !isNullWritten && (isNullDistinct || isNilByDefault) }
  private var isNilByDefault: Bool { fallback.map { $0.text == "nil" } ?? true }
}

/// The members of an object: values, and nested objects that only group values.
struct MemberTree {
  indirect enum Entry {
    case value(Property)
    case object(key: String, MemberTree)
  }

  private(set) var entries: [Entry] = []
  /// The property that contains the members for which the model has no other property.
  private(set) var rest: Property?
  /// True if the object is written even if all its values are left out.
  private var isAlwaysWritten = false

  init(_ properties: [Property]) {
    for property in properties where !property.isRest { insert(property, at: property.path[...]) }
    rest = properties.first(where: \.isRest)
  }

  /// Creates a tree with a nested object at `key`, which contains `properties` and is always written.
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

  /// All values, including those of nested objects.
  var properties: [Property] {
    entries.flatMap { entry in
      switch entry {
      case .value(let property): [property]
      case .object(_, let tree): tree.properties
      }
    } + (rest.map { [$0] } ?? [])
  }

  /// The keys from the object to each value, by the name of the property.
  var paths: [String: [String]] {
    entries.reduce(into: [:]) { paths, entry in
      switch entry {
      case .value(let property): paths[property.plainName] = [property.path.last ?? ""]
      case .object(let key, let tree): paths.merge(tree.paths.mapValues { [key] + $0 }) { first, _ in first }
      }
    }
  }

  /// All values in the order of their declarations.
  var declared: [Property] { properties.sorted { $0.position < $1.position } }

  var decoded: MemberTree { MemberTree(properties.filter { !$0.isConstant }) }

  var hasSlashes: Bool { properties.contains { $0.path.contains { $0.contains("/") } } }

  /// True if the object may be missing or `null`. Its values are then missing. Whether a property wrapper needs a value is not known here:
  /// the wrapper reports a missing value.
  var isOptional: Bool { properties.allSatisfy { !$0.isRequired || $0.isWrapped } }

  /// True if an object without values is not written.
  var isOmittable: Bool { !isAlwaysWritten && properties.allSatisfy(\.isOmittable) }
}
