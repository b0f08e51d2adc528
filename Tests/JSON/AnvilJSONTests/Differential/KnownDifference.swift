import AnvilBase
import AnvilJSON

/// An intended difference between `JSON.Decoder` and Foundation's `JSONDecoder`.
struct KnownDifference: Sendable {
  /// A text and the results of both decoders.
  struct Case {
    var text: [UInt8]
    var setup = CoderSetup.plain
    /// The error of `JSON.Decoder`; `nil` for a value.
    var found: (kind: String, path: [String])?
    /// Foundation's error; `nil` for a value.
    var expected: (kind: String, path: [String])?
  }

  let name: String
  let reason: String
  /// An example, to check that the difference still exists.
  let example: @Sendable () -> Case
  /// Returns whether this difference explains a case.
  let explains: @Sendable (Case) -> Bool

  /// All known differences. A case is attributed to the first one that explains it.
  static let all: [KnownDifference] = [
    KnownDifference(
      name: "paths of numbers and dates",
      reason: "Foundation loses the path of numbers that do not fit, and the end of that of dates that do not parse.",
      example: { example([UInt8].self, "[1, 300]") },
      explains: {
        guard let found = $0.found, let expected = $0.expected else { return false }
        return found.kind == "corrupted" && expected.kind == "corrupted"
          && found.path.starts(with: expected.path) && found.path.count > expected.path.count
      }
    ),
    KnownDifference(
      name: "null for Bool",
      reason: "Foundation calls null a mismatch for Bool, and not found for every other type.",
      example: { example([Bool].self, "[null]") },
      explains: {
        $0.found?.kind == "null Bool" && $0.expected?.kind == "mismatch Bool" && $0.found?.path == $0.expected?.path
      }
    ),
    KnownDifference(
      name: "texts that are no JSON",
      reason: """
        Foundation reads of numbers and strings what is asked for, so that what is none may pass or be another error; and it \
        takes a comma before the end of an array or object.
        """,
      example: { example([String: Int].self, #"{"a": 1,}"#) },
      explains: { $0.found.map { $0 == ("corrupted", []) } == true && ReferenceParser.parse($0.text) == nil }
    ),
    KnownDifference(
      name: "members that share a key where keys are converted",
      reason: "Foundation reads the first, but into dictionaries the last where keys are converted. We read the first.",
      example: { example([String: Int].self, #"{"a": 1, "a": null}"#, .snakeCase) },
      explains: { $0.setup.convertsKeys && ReferenceParser.parse($0.text)?.hasRepeatedKeys == true }
    ),
    KnownDifference(
      name: "numbers that are nearly whole",
      reason: """
        Foundation reads an integer with a fraction or exponent by way of the nearest double, so that 1e-400 is 0 and \
        9007199254740992.1 is whole; and it refuses 1e-400 as a double. We read the digits, and the nearest double.
        """,
      example: { example([Int].self, "[1e-400]") },
      explains: { ReferenceParser.parse($0.text)?.hasNearlyWholeNumbers == true }
    ),
    KnownDifference(
      name: "dates in strings",
      reason: "Without a strategy, we also read dates as in RFC 3339, and the error of another text is that of a date.",
      example: { example([Date].self, #"["2026-02-03T04:05:06Z"]"#) },
      explains: {
        guard let expected = $0.expected, expected.kind == "mismatch Double" else { return false }
        guard let found = $0.found, found.kind == "corrupted", found.path == expected.path else {
          return $0.found?.kind != "mismatch Double" && $0.text.contains(UInt8(ascii: "T"))
        }
        return true
      }
    ),
    KnownDifference(
      name: "dates that are not finite",
      reason: "Foundation reads a date from a text that a strategy converts to infinity or NaN. We reject it.",
      example: { example([Date].self, #"["nan"]"#, .floatsAsStrings) },
      explains: {
        $0.setup == .floatsAsStrings && $0.expected == nil && $0.found?.kind == "corrupted"
          && [#""nan""#, #""inf""#, #""-inf""#].contains(where: String(decoding: $0.text, as: UTF8.self).contains)
      }
    ),
    KnownDifference(
      name: "keys of dictionaries in paths",
      reason:
        "Where keys are converted, ours are converted in every path; Foundation leaves those of dictionaries as they are.",
      example: { example([String: [Int]].self, #"{"a_b": [null]}"#, .snakeCase) },
      explains: {
        guard let found = $0.found, let expected = $0.expected, found.kind == expected.kind,
          found.path != expected.path,
          found.path.count == expected.path.count
        else { return false }
        return zip(found.path, expected.path).allSatisfy { found, expected in
          expected == found || expected == "x" + found || KeyLetters.of(expected) == KeyLetters.of(found)
        }
      }
    ),
    KnownDifference(
      name: "the first error in a dictionary",
      reason:
        "Foundation decodes dictionaries in the order of their hashes, which is another in every process; we in the text's.",
      example: {
        example([String: Int].self, "{" + (0..<100_000).map { "\"\($0)\":null" }.joined(separator: ",") + "}")
      },
      explains: {
        guard let found = $0.found?.path, let expected = $0.expected?.path else { return false }
        // Foundation's error is one that loses its path.
        if expected.isEmpty, !found.isEmpty, $0.found?.kind != "corrupted", $0.expected?.kind == "corrupted" {
          return ReferenceParser.parse($0.text) != nil
        }
        guard let place = zip(found, expected).enumerated().first(where: { $1.0 != $1.1 })?.offset else { return false }
        return ReferenceParser.parse($0.text)?.isObject(at: found[..<place]) == true
      }
    ),
    KnownDifference(
      name: "infinity in other spellings",
      reason:
        "Foundation compares the strings for infinity and NaN with the text as it is; we with what its escapes say.",
      example: { example([Double].self, #"["\u0069nf"]"#, .floatsAsStrings) },
      explains: {
        $0.setup == .floatsAsStrings && $0.found == nil && $0.text.contains(0x5C)
          && ReferenceParser.parse($0.text)?.hasString(among: ["inf", "-inf", "nan"]) == true
      }
    ),
    KnownDifference(
      name: "keys with accents",
      reason: "Foundation compares keys as Strings, for which é has two spellings. JSON has two keys (RFC 8259 §8.3).",
      example: { example(Accents.self, "{\"e\u{301}\": 1}") },
      explains: { !$0.text.allSatisfy { $0 < 0x80 } && $0.found?.kind == "missing é" && $0.expected == nil }
    ),
  ]

  private static func example<Value: Decodable & Equatable>(
    _ type: Value.Type, _ text: String, _ setup: CoderSetup = .plain
  ) -> Case {
    let data = Data(text.utf8)
    let decoders = setup.decoders()
    return Case(
      text: Array(text.utf8), setup: setup,
      found: DecodingOutcome { try decoders.ours.decode(type, from: data) }.error,
      expected: DecodingOutcome { try decoders.theirs.decode(type, from: data) }.error)
  }

  private struct Accents: Decodable, Equatable {
    var é: Int
  }
}

/// The letters of a key that a conversion from or to snake case preserves.
enum KeyLetters {
  static func of(_ key: String) -> String { key.lowercased().filter { $0 != "_" } }
}
