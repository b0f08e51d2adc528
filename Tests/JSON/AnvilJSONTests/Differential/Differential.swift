import AnvilBase
import AnvilJSON

/// Compares both coders on values of one type, and on documents that mostly match the type.
struct Differential: Sendable {
  /// The type's name.
  let name: String
  /// Generates `count` documents from `seed` and compares the coders on each.
  let run: @Sendable (_ seed: UInt64, _ count: Int) -> DifferentialOutcome
  /// Returns the difference between the decoders on a text; `nil` if there is no difference.
  let differenceInDecoding: @Sendable (_ text: [UInt8], _ setup: CoderSetup) -> String?
  /// Returns the difference between the encoders on a random value, or a failed round trip; `nil` for neither.
  let differenceInEncoding: @Sendable (_ random: inout RandomSource, _ setup: CoderSetup) -> String?

  init<Model: DifferentialModel>(_ type: Model.Type) {
    name = "\(type)"
    run = { Self.run(type, seed: $0, count: $1) }
    differenceInDecoding = { Self.difference(type, in: $0, setup: $1, $1.decoders()) }
    differenceInEncoding = { Self.difference(encoding: Model(sample: &$0), setup: $1).difference }
  }

  /// Every type.
  static let all = [
    Differential(Scalars.self), Differential(Optionals.self), Differential(Nested.self), Differential(Branch.self),
    Differential(CamelCase.self), Differential(FoundationValues.self), Differential(Enumerations.self),
    Differential(Hound.self), Differential(Wrappers.self), Differential(ByHand.self), Differential(Whatever.self),
    Differential([Nested.Place].self), Differential([String: Optionals].self),
  ]

  private static func run<Model: DifferentialModel>(
    _ type: Model.Type, seed: UInt64, count: Int
  ) -> DifferentialOutcome {
    var random = RandomSource(seed: seed)
    var outcome = DifferentialOutcome()
    while outcome.needsMore(than: count) {
      let setup = random.oneIn(3) ? random.pick(CoderSetup.allCases) : .plain
      let encoding = difference(encoding: Model(sample: &random), setup: setup)
      outcome.note(encoding.difference)
      guard let json = try? JSON(parsing: encoding.text) else { continue }
      let tree = DocumentTree(json)
      let decoders = setup.decoders()
      // Generating a value takes longer than changing it.
      for _ in 0..<8 where outcome.documents < count {
        var changed = tree
        for _ in 0..<random.below(3) { changed.mutate(&random) }
        var text = changed.text(&random)
        if random.oneIn(8) { Damage.apply(to: &text, &random) }
        let (difference, isValue) = outcomes(type, in: text, setup: setup, decoders)
        outcome.noteDocument(isValue: isValue, difference)
      }
    }
    return outcome
  }

  private static func difference<Model: DifferentialModel>(
    _ type: Model.Type, in text: [UInt8], setup: CoderSetup, _ decoders: (theirs: JSONDecoder, ours: JSON.Decoder)
  ) -> String? {
    outcomes(type, in: text, setup: setup, decoders).difference
  }

  /// Returns the difference between the decoders on a text, if any, and whether our decoder accepts the text.
  private static func outcomes<Model: DifferentialModel>(
    _ type: Model.Type, in text: [UInt8], setup: CoderSetup, _ decoders: (theirs: JSONDecoder, ours: JSON.Decoder)
  ) -> (difference: String?, isValue: Bool) {
    let data = Data(text)
    let found = DecodingOutcome { try decoders.ours.decode(type, from: data) }
    let expected = DecodingOutcome { try decoders.theirs.decode(type, from: data) }
    if found == expected { return (nil, found.error == nil) }
    let known = KnownDifference.Case(
      text: text, setup: setup, found: found.error, expected: expected.error)
    if KnownDifference.all.contains(where: { $0.explains(known) }) { return (nil, found.error == nil) }
    let difference = """
      \(type), \(setup.rawValue), from \(String(decoding: text, as: UTF8.self)):
        found \(found)
        Foundation \(expected)
      """
    return (difference, found.error == nil)
  }

  private static func difference<Model: DifferentialModel>(
    encoding value: Model, setup: CoderSetup
  ) -> (difference: String?, text: Data) {
    let encoders = setup.encoders()
    let found = EncodingOutcome { try encoders.ours.encode(value) }
    let expected = EncodingOutcome { try encoders.theirs.encode(value) }
    guard found == expected else {
      return ("\(Model.self), \(setup.rawValue), encoded: \(found), Foundation \(expected)", found.text)
    }
    guard case .text(let text) = found else { return (nil, Data()) }
    let decoders = setup.decoders()
    let ours = DecodingOutcome { try decoders.ours.decode(Model.self, from: text) }
    if ours == .value(value) { return (nil, text) }
    // Round trips that fail also fail with Foundation: converted keys, dates without fractions.
    let theirs = DecodingOutcome { try decoders.theirs.decode(Model.self, from: text) }
    return (theirs == ours ? nil : "\(Model.self), \(setup.rawValue), comes back from \(found) as \(ours)", text)
  }
}

/// The result of encoding a value: the text, or the kind of error and its path.
enum EncodingOutcome: Equatable, CustomStringConvertible {
  case text(Data)
  case error(String)

  init(_ encode: () throws -> Data) {
    do {
      self = .text(try encode())
    } catch EncodingError.invalidValue(let value, let context) {
      self = .error(
        "invalid \(rejected(value)) at \(context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue })")
    } catch {
      self = .error("\(error)")
    }
  }

  var text: Data {
    guard case .text(let text) = self else { return Data() }
    return text
  }

  var description: String {
    switch self {
    case .text(let text): String(decoding: text, as: UTF8.self)
    case .error(let error): error
    }
  }
}

extension Array: DifferentialModel where Element: DifferentialModel {
  init(sample random: inout RandomSource) {
    self = random.some(upTo: 3) { Element(sample: &$0) }
  }
}

extension Dictionary: DifferentialModel where Key == String, Value: DifferentialModel {
  init(sample random: inout RandomSource) {
    self.init(random.some(upTo: 2) { ($0.text(), Value(sample: &$0)) }) { $1 }
  }
}

/// Returns the value of an `EncodingError` for comparisons. Our encoder has the type in place of a value that may not be printable.
func rejected(_ value: Any) -> String {
  switch value {
  case let type as any Any.Type: "\(type)"
  case is any BinaryFloatingPoint, is String: "\(value)"
  default: "\(type(of: value))"
  }
}
