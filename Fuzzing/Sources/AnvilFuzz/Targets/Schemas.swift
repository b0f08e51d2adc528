import AnvilJSON

@testable import AnvilSchema

extension FuzzTarget {
  /// A JSON Schema and, behind a NUL, a document: a verdict that its negation and its combinations agree with.
  static let schemas = FuzzTarget(name: "schemas", repeated: .elements) { bytes in
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
    guard let json = try? JSON(parsing: parts[0]) else { return }
    let document = parts.count > 1 ? (try? JSON(parsing: parts[1])) ?? json : json
    _ = JSONSchema.isSchema(json)
    let limits = CheckLimits(faults: 20, work: 50_000)
    let schema: JSONSchema
    do throws(JSONSchema.Malformed) {
      schema = try JSONSchema(compiling: json)
    } catch {
      return require(!error.description.isEmpty && !error.reason.isEmpty, "no description")
    }
    let findings = schema.check(document, limits: limits)
    require(findings.faults.count <= limits.faults, "\(findings.faults.count) faults")
    // Addresses and references mean other places when a schema stands in another.
    guard findings.interruption == nil, !String(decoding: parts[0], as: UTF8.self).contains("$") else { return }
    let isMatch = findings.isMatch
    let combinations: [(String, JSON, Bool)] = [
      ("not", JSON([("not", json)]), !isMatch),
      ("allOf", JSON([("allOf", JSON([json, json]))]), isMatch),
      ("anyOf", JSON([("anyOf", JSON([JSON(false), json]))]), isMatch),
      ("oneOf", JSON([("oneOf", JSON([JSON(false), json]))]), isMatch),
      ("if", JSON([("if", json), ("then", JSON(false))]), !isMatch),
    ]
    for (name, combination, expected) in combinations {
      guard let schema = try? JSONSchema(compiling: combination) else {
        return require(false, "\(name) of a schema is refused")
      }
      let found = schema.check(document, limits: CheckLimits(faults: 20, work: 500_000))
      guard found.interruption == nil else { continue }
      require(found.isMatch == expected, "\(name) matches \(found.isMatch), the schema \(isMatch)")
    }
  } growth: { bytes in
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
    guard let json = try? JSON(parsing: parts[0]) else { return }
    let schema = try? JSONSchema(compiling: json.kind == .array ? JSON([("allOf", json)]) : json)
    // References may require any amount of work, which is limited.
    guard let schema, parts.count > 1, !parts[0].contains(UInt8(ascii: "$")) else { return }
    guard let document = try? JSON(parsing: parts[1]) else { return }
    _ = schema.check(document)
  }

  /// A pattern of a schema and, behind a NUL, a string: what a plain matcher finds.
  static let patterns = FuzzTarget(name: "patterns") { bytes in
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let pattern = String(decoding: parts[0], as: UTF8.self)
    let text = parts.count > 1 ? String(decoding: parts[1].prefix(64), as: UTF8.self) : "aab"
    let reference = ReferencePattern(pattern)
    let expected = reference?.matches(text)
    let schema: JSONSchema
    do throws(JSONSchema.Malformed) {
      schema = try JSONSchema(compiling: JSON([("pattern", JSON(pattern))]))
    } catch {
      return require(reference == nil, "\(pattern) is refused: \(error)")
    }
    // With references, a text of 64 characters can take any limit.
    let findings = schema.check(JSON(text), limits: CheckLimits(work: 1_000_000))
    if let expected, findings.interruption == nil {
      require(findings.isMatch == expected, "\(pattern) in \(text.debugDescription): \(findings.isMatch)")
    }
  } growth: { bytes in
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let pattern = JSON(String(decoding: parts[0], as: UTF8.self))
    guard let schema = try? JSONSchema(compiling: JSON([("pattern", pattern)])), parts.count > 1 else { return }
    _ = schema.check(JSON(String(decoding: parts[1], as: UTF8.self)))
  }

  /// Samples: models can be made of any document, and each is like itself.
  static let shapes = FuzzTarget(name: "shapes", repeated: .elements) { bytes in
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
    let samples = parts.compactMap { try? JSON(parsing: $0) }
    // Of several members with the same name, only one can be compared.
    guard !samples.isEmpty, !samples.contains(where: hasDuplicates) else { return }
    let check = SampleCheck(samples: samples)
    for sample in samples {
      let findings = check.check(sample, limits: CheckLimits(faults: 20, work: 100_000))
      require(findings.interruption != nil || findings.isMatch, "a sample departs from itself: \(findings.faults)")
    }
    var shape = Shape()
    for sample in samples { shape.add(sample) }
    let models = SwiftModels(of: shape, name: "Sample")
    let braces = models.source.split(separator: "\n").map(depthChange).reduce(0, +)
    require(braces == 0, "\(braces) braces too many in \(models.source)")
  } growth: { bytes in
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
    let samples = parts.compactMap { try? JSON(parsing: $0) }
    guard let sample = samples.first else { return }
    _ = SampleCheck(samples: samples).check(sample)
    var shape = Shape()
    for sample in samples { shape.add(sample) }
    _ = SwiftModels(of: shape, name: "Sample").source
  }

  /// The number of braces that a line of source opens minus those that it closes, without literals and comments.
  private static func depthChange(_ line: Substring) -> Int {
    guard !line.drop(while: { $0 == " " }).hasPrefix("//") else { return 0 }
    var depth = 0
    var (isInText, isEscaped) = (false, false)
    for byte in line.utf8 {
      if isInText {
        if byte == 0x22, !isEscaped { isInText = false }
        isEscaped = byte == 0x5C && !isEscaped
      } else {
        isInText = byte == 0x22
        depth += byte == 0x7B ? 1 : byte == 0x7D ? -1 : 0
      }
    }
    return depth
  }

  private static func hasDuplicates(_ json: JSON) -> Bool {
    var pending = [json]
    while let value = pending.popLast() {
      if Set(value.members.map(\.key)).count < value.count, value.kind == .object { return true }
      pending += value.members.map(\.value)
      pending += value.elements
    }
    return false
  }
}
