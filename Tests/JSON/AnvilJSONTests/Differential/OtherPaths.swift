import AnvilBase
import AnvilJSON

/// Compares the mapping, the reader and the writer with Anvil's coders, which other tests compare with Foundation's.
struct OtherPaths: Sendable {
  /// The type's name.
  let name: String
  /// Returns the difference of the mapping or the reader from the decoder on a text; `nil` if there is no difference.
  let differenceInReading: @Sendable (_ text: [UInt8]) -> String?
  /// Returns the difference of the writer from the encoder on a random value; `nil` if there is no difference.
  let differenceInWriting: @Sendable (_ random: inout RandomSource) -> String?
  /// Generates `count` documents from `seed` and compares the paths on each.
  let run: @Sendable (_ seed: UInt64, _ count: Int) -> DifferentialOutcome

  init<Model: MappedModel & DirectModel>(_ type: Model.Type) {
    name = "\(type)"
    differenceInReading = { Self.differenceInReading(type, $0) }
    differenceInWriting = { Self.difference(writing: Model(sample: &$0)) }
    run = { Self.run(type, seed: $0, count: $1) }
  }

  /// All types that every path reads.
  static let all = [
    OtherPaths(Nested.Place.self), OtherPaths(Nested.self), OtherPaths(Optionals.self), OtherPaths(Branch.self),
    OtherPaths(Scalars.self),
  ]

  private static func run<Model: MappedModel & DirectModel>(
    _ type: Model.Type, seed: UInt64, count: Int
  ) -> DifferentialOutcome {
    var random = RandomSource(seed: seed)
    var outcome = DifferentialOutcome()
    while outcome.needsMore(than: count) {
      let value = Model(sample: &random)
      outcome.note(difference(writing: value))
      guard let text = try? JSON.Encoder().encode(value), let json = try? JSON(parsing: text) else { continue }
      let tree = DocumentTree(json)
      for _ in 0..<8 where outcome.documents < count {
        var changed = tree
        for _ in 0..<random.below(3) { changed.mutate(&random) }
        var text = changed.text(&random)
        if random.oneIn(8) { Damage.apply(to: &text, &random) }
        let isValue = (try? JSON.read(type, from: text)) != nil
        outcome.noteDocument(isValue: isValue, differenceInReading(type, text))
      }
    }
    return outcome
  }

  /// All paths read the same value, or all fail.
  private static func differenceInReading<Model: MappedModel & DirectModel>(
    _ type: Model.Type, _ text: [UInt8]
  ) -> String? {
    let decoded = Result { try JSON.Decoder().decode(type, from: Data(text)) }
    let mapped = Result { try Model.decode(JSON(parsing: text)) }
    let read = Result { () throws(JSON.ReadingError) in try JSON.read(type, from: text) }
    if case .failure(let error) = read, error.offset < 0 || error.offset > max(text.count, 3 * text.count / 2) {
      return "\(type): \(error) is beyond the text"
    }
    let value = try? decoded.get()
    guard (try? mapped.get()) == value, (try? read.get()) == value else {
      // Dictionaries keep the first of the members that share a key, but the mapping and the reader also read the
      // others.
      if value != nil, case .failure = mapped, case .failure = read,
        ReferenceParser.parse(text)?.hasRepeatedKeys == true
      {
        return nil
      }
      return """
        \(type) from \(String(decoding: text, as: UTF8.self)):
          decoded \(decoded)
          mapped \(mapped)
          read \(read)
        """
    }
    return nil
  }

  /// The writer produces the encoder's text, except for the order of members.
  private static func difference<Model: MappedModel & DirectModel>(writing value: Model) -> String? {
    let written = Result { () throws(JSON.WritingError) in try JSON.write(value) }
    let encoded = Result { try JSON.Encoder().encode(value) }
    guard let text = try? written.get(), let other = try? encoded.get(), let json = try? JSON(parsing: text),
      json == (try? JSON(parsing: other)), (try? JSON.read(Model.self, from: text)) == value
    else { return "\(value): written \(written), encoded \(encoded)" }
    return nil
  }
}
