package import AnvilJSON

/// A JSON Schema that is ready to check documents: what draft 2020-12 asks of them, and what older drafts write
/// otherwise.
///
///     let schema = try JSONSchema(compiling: JSON(parsing: text))
///     let findings = schema.check(document)
///
/// `Documentation/JSON-Schema.md` says keyword by keyword what is checked. Nothing is fetched: references lead to
/// places in the document of the schema.
package struct JSONSchema: Sendable {
  let nodes: [SchemaNode]
  let root: Int
  /// The schemas with a `$dynamicAnchor`, by its name and the number of the resource that it is in.
  let dynamicAnchors: [String: [Int: Int]]
  /// Whether some schema asks what others have looked at.
  let collectsCoverage: Bool
  /// What the schema says that is not checked, each keyword once.
  package let notes: [Note]

  /// The schema that `document` spells.
  ///
  /// - Throws: ``Malformed`` for what is no schema, for references that lead nowhere or out of the document, for
  ///   schemas that lead back to themselves without going into the value, and for drafts before 6.
  package init(compiling document: JSON) throws(Malformed) {
    var compiler = SchemaCompiler(document: document)
    root = try compiler.compileAll()
    nodes = compiler.nodes
    dynamicAnchors = compiler.dynamicAnchors
    collectsCoverage = nodes.contains { node in
      node.rules.contains { rule in
        switch rule {
        case .unevaluatedMembers, .unevaluatedElements: true
        default: false
        }
      }
    }
    notes = compiler.notes
  }

  /// Every way in which `document` departs from this schema, without those that follow from others: where a type is
  /// wrong, nothing more is said of the value.
  ///
  /// - Complexity: bounded by `limits`; patterns count, too.
  package func check(_ document: JSON, limits: CheckLimits = CheckLimits()) -> CheckFindings {
    var run = SchemaRun(schema: self, limits: limits)
    return run.findings(in: document)
  }
}

extension JSONSchema {
  /// Why a document is no schema that documents can be checked against, and where in it.
  package struct Malformed: Error, Sendable, CustomStringConvertible {
    /// The way to the part of the schema that is wrong.
    package let steps: [JSON.Step]
    /// What is wrong, in a few words that may quote the schema: `a reference to "#/$defs/user", which is not there`.
    package let reason: String

    /// The place that ``steps`` lead to.
    package var pointer: JSON.Pointer { JSON.Pointer(schemaSteps: steps) }

    /// What and where: `the schema is wrong at "/properties/id/type": not the name of a type`.
    package var description: String { "the schema is wrong at \"\(pointer)\": \(reason)" }
  }

  /// Something that a schema says and that is not checked.
  package struct Note: Hashable, Sendable, CustomStringConvertible {
    /// The keyword, with the value where that is what is not known: `contentSchema`, `format "duration"`.
    package let keyword: String
    /// Where it stands first.
    package let pointer: JSON.Pointer

    /// What and where: `not checked: contentSchema at "/properties/a"`.
    package var description: String { "not checked: \(keyword) at \"\(pointer)\"" }
  }
}

extension JSON.Pointer {
  init(schemaSteps steps: some Sequence<JSON.Step>) {
    self.init(
      tokens: steps.map { step in
        switch step {
        case .key(let key): key
        case .index(let index): String(index)
        }
      })
  }
}
