package import AnvilJSON

/// A JSON Schema that is ready to check documents. It supports draft 2020-12, and the keywords of the drafts from 6 on where they differ.
///
///     let schema = try JSONSchema(compiling: JSON(parsing: text))
///     let findings = schema.check(document)
///
/// `Documentation/JSON-Schema.md` lists which keywords are checked. Nothing is fetched: references must lead to
/// places in the document of the schema.
package struct JSONSchema: Sendable {
  let nodes: [SchemaNode]
  let root: Int
  /// The schemas with a `$dynamicAnchor`, by its name and the number of the resource that contains it.
  let dynamicAnchors: [String: [Int: Int]]
  /// True if the schema contains `unevaluatedProperties` or `unevaluatedItems`, which depend on the members and elements that other schemas
  /// have evaluated.
  let collectsCoverage: Bool
  /// The keywords of the schema that are not checked, each listed once, at most 100.
  package let notes: [Note]

  /// Compiles the schema in `document`.
  ///
  /// - Throws: ``Malformed`` for an invalid schema, for references that cannot be resolved or lead to another document, for schemas that
  ///   apply themselves to the same value without end, and for drafts before 6.
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

  /// Returns the violations of this schema in `document`, up to the limits. Violations that follow from others are left out: a value of a
  /// wrong type is not checked further.
  ///
  /// - Complexity: bounded by `limits`, which include the cost of patterns.
  package func check(_ document: JSON, limits: CheckLimits = CheckLimits()) -> CheckFindings {
    var run = SchemaRun(schema: self, limits: limits)
    return run.findings(in: document)
  }
}

extension JSONSchema {
  /// An error for a document that is not a usable schema, with the location of the problem.
  package struct Malformed: Error, Sendable, CustomStringConvertible {
    /// The path to the invalid part of the schema.
    package let steps: [JSON.Step]
    /// A short description of the problem that may quote the schema: `a reference that cannot be resolved: "#/$defs/user"`.
    package let reason: String

    /// The JSON Pointer for ``steps``.
    package var pointer: JSON.Pointer { JSON.Pointer(schemaSteps: steps) }

    /// The problem and its location: `the schema is invalid at "/properties/id/type": not a valid type name`.
    package var description: String { "the schema is invalid at \"\(pointer)\": \(reason)" }
  }

  /// A part of a schema that is not checked.
  package struct Note: Hashable, Sendable, CustomStringConvertible {
    /// The keyword, including its value if only that is unknown: `contentSchema`, `format "duration"`.
    package let keyword: String
    /// The location of its first occurrence.
    package let pointer: JSON.Pointer

    /// The keyword and its location: `not checked: contentSchema at "/properties/a"`.
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
