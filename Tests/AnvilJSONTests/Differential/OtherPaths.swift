import AnvilJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The mapping, the reader and the writer against the coders, which Foundation's are held against.
struct OtherPaths: Sendable {
  /// The type's name.
  let name: String
  /// How what the mapping and the reader make of a text differs from what the decoder does, if it does.
  let differenceInReading: @Sendable (_ text: [UInt8]) -> String?
  /// How what the writer writes for a value made by chance differs from what the encoder does.
  let differenceInWriting: @Sendable (_ random: inout RandomSource) -> String?
  /// Makes `count` documents from `seed`, and finds where the paths differ.
  let run: @Sendable (_ seed: UInt64, _ count: Int) -> DifferentialOutcome

  init<Model: MappedModel & DirectModel>(_ type: Model.Type) {
    name = "\(type)"
    differenceInReading = { Self.differenceInReading(type, $0) }
    differenceInWriting = { Self.difference(writing: Model(sample: &$0)) }
    run = { Self.run(type, seed: $0, count: $1) }
  }

  /// Every type that all paths read.
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

  /// All read the same value, or all none.
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
      // Of members that share a key in a dictionary the first counts, but the mapping and the reader read the others too.
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

  /// The writer writes what the encoder does, but for the order of members.
  private static func difference<Model: MappedModel & DirectModel>(writing value: Model) -> String? {
    let written = Result { () throws(JSON.WritingError) in try JSON.write(value) }
    let encoded = Result { try JSON.Encoder().encode(value) }
    guard let text = try? written.get(), let other = try? encoded.get(), let json = try? JSON(parsing: text),
      json == (try? JSON(parsing: other)), (try? JSON.read(Model.self, from: text)) == value
    else { return "\(value): written \(written), encoded \(encoded)" }
    return nil
  }
}
