/// The generated code of a structure or a final class.
struct StructureExpansion {
  private let model: Model
  private let tree: MemberTree
  private let coding: ContainerCoding

  init(_ model: Model, _ tree: MemberTree) {
    self.model = model
    self.tree = tree
    coding = ContainerCoding(keys: model.codingKeys, model: model.selfName)
  }

  var keys: Lines { coding.keyEnumeration(of: tree, named: model.codingKeys) }

  var parts: Parts {
    Parts(reading: reading, updating: updating, decoding: decoding, writing: writing, encoding: encoding)
  }

  private var reading: Lines {
    var scope = Scope(tree.properties)
    let reader = scope.name("reader")
    let parameter = "\(reader): inout \(Names.reader)) throws(\(Names.readingError))"
    let clause = model.functionClause(Names.readable)
    let header = "\(model.modifiers)static func read(from \(parameter) -> \(model.selfName)\(clause)"
    let decoded = tree.decoded
    var reading = DirectReading(decoded, reader: reader, scope: scope, model: model.selfName, keys: model.codingKeys)
    let members = reading.members(of: decoded)
    guard model.hasMemberwiseInitializer else {
      var lines = Lines()
      lines.block(header) { $0.add("try \(model.selfExpression)(readingFrom: &\(reader))") }
      lines.block("\(model.privateModifiers)init(readingFrom \(parameter)\(clause)") { lines in
        lines.add(members)
        for property in decoded.properties {
          lines.add("self.\(property.storedName) = \(reading.value(of: property))")
        }
      }
      return lines
    }
    // The memberwise initialiser needs 10 % fewer instructions than an initialiser that sets each property.
    return .block(header) { lines in
      lines.add(members)
      let arguments = decoded.declared.map { "\($0.label): \(reading.value(of: $0))" }
      lines.add("return \(model.selfExpression)(\(arguments.joined(separator: ", ")))")
    }
  }

  /// An update keeps the values of variables that are not coded.
  private var updating: Lines {
    .block("\(model.modifiers)mutating func update(from decoder: \(Names.decoder)) throws") { lines in
      lines.add("let old = self")
      lines.add("try self.updateByDefault(from: decoder)")
      for name in model.ignoredVariables { lines.add("self.\(name) = old.\(name)") }
    }
  }

  private var writing: Lines {
    .block("\(model.modifiers)func write(to writer: inout \(Names.writer))\(model.functionClause(Names.writable))") {
      lines in
      lines.block("writer.object", parameters: tree.properties.isEmpty ? " _ in" : " members in") { lines in
        lines.add(DirectWriting().members(of: tree))
        if let rest = tree.rest {
          lines.add("members._write(rest: self.\(rest.name), except: \(model.codingKeys).self)")
        }
      }
    }
  }

  // Generated for each model, also where the compiler could synthesise it: a handwritten initialiser in an extension would then replace
  // the synthesised one without a word, and the direct path would not use it. Now it is reported as a redeclaration.

  private var decoding: Lines {
    var scope = Scope(tree.properties)
    let decoder = scope.name("decoder")
    return .block(
      "\(model.modifiers)init(from \(decoder): \(Names.decoder)) throws\(model.functionClause(Names.decodable))"
    ) { lines in
      lines.add(
        coding.decoding(tree.decoded, from: decoder, &scope) { property, value, lines in
          lines.add("self.\(property.storedName) = \(value)")
        })
    }
  }

  private var encoding: Lines {
    var scope = Scope(tree.properties)
    let encoder = scope.name("encoder")
    return .block(
      "\(model.modifiers)func encode(to \(encoder): \(Names.encoder)) throws\(model.functionClause(Names.encodable))"
    ) { lines in
      lines.add(coding.encoding(tree, to: encoder, &scope) { "self.\($0.storedName)" })
    }
  }
}

/// Lines of code that are indented by their braces.
struct Lines {
  private(set) var text: [String] = []

  /// Returns a block, as ``block(_:parameters:end:_:)`` adds it.
  static func block(_ header: String, _ body: (inout Lines) -> Void) -> Lines {
    var lines = Lines()
    lines.block(header, body)
    return lines
  }

  mutating func add(_ line: String) { text.append(line) }

  mutating func add(_ lines: Lines) { text += lines.text }

  /// Adds a block: `header`, an opening brace with the `parameters` of a closure, the lines that `body` adds, and a closing brace followed by
  /// `end`.
  mutating func block(_ header: String, parameters: String = "", end: String = "", _ body: (inout Lines) -> Void) {
    text.append(header + " {" + parameters)
    var inner = Lines()
    body(&inner)
    text += inner.text.map { $0.isEmpty ? $0 : "  " + $0 }
    text.append("}" + end)
  }

  var joined: String { text.joined(separator: "\n") }
}

extension String {
  var literal: String {
    var literal = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  /// The identifiers in the text of a type or an expression.
  var identifiers: [String] {
    split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
  }

  /// The last of several names that are joined by dots.
  var withoutQualification: String { split(separator: ".").last.map(String.init) ?? "" }

  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

  /// True if the text needs no backticks as a name, except for keywords.
  var isPlainIdentifier: Bool {
    guard let first, !first.isNumber else { return false }
    return allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  /// The text as part of an identifier. Other characters are replaced by their numbers, so that different texts stay
  /// different.
  var identifierPart: String {
    let part = unicodeScalars.map { scalar in
      let character = Character(scalar)
      let isPlain = scalar.isASCII && (character.isLetter || character.isNumber || character == "_")
      return isPlain ? String(character) : "_\(String(scalar.value, radix: 16))_"
    }.joined()
    return part.first.map(\.isNumber) ?? true ? "_" + part : part
  }
}

/// The names of the types that generated code uses. They are qualified, so that a model may have members with the same
/// names.
enum Names {
  static let reader = "AnvilJSON.JSON.Reader"
  static let readingError = "AnvilJSON.JSON.ReadingError"
  static let writer = "AnvilJSON.JSON.Writer"
  static let json = "AnvilJSON.JSON"
  static let decoder = "any Swift.Decoder"
  static let encoder = "any Swift.Encoder"
  static let readable = "AnvilJSON.JSONReadable"
  static let writable = "AnvilJSON.JSONWritable"
  static let mappingDecodable = "AnvilJSON.JSONDecodable"
  static let directlyDecodable = "AnvilJSON.JSONDirectlyDecodable"
  static let directlyEncodable = "AnvilJSON.JSONDirectlyEncodable"
  static let tagged = "AnvilCodable._TaggedByMember"
  static let decodable = "Swift.Decodable"
  static let encodable = "Swift.Encodable"
}
