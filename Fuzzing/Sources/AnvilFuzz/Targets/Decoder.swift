import AnvilJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FuzzTarget {
  /// Any text by both decoders, into every type and with all strategies: the same value, or the same error in the same place.
  static let decoder = FuzzTarget(name: "decoder", repeated: .elements(after: 2)) { bytes in
    guard let (differential, setup, text) = choices(in: bytes) else { return }
    // In other encodings Foundation's decoder is not the oracle: it takes NULs for what they are not.
    guard !isDetectedAsOtherEncoding(text) else { return }
    let difference = differential.differenceInDecoding(text, setup)
    require(difference == nil, difference ?? "")
  } growth: { bytes in
    guard let (_, setup, text) = choices(in: bytes) else { return }
    let decoder = setup.decoders().ours
    let data = Data(text)
    _ = try? decoder.decode([Optionals].self, from: data)
    _ = try? decoder.decode([Branch].self, from: data)
    _ = try? decoder.decode([String: Optionals].self, from: data)
  }

  /// A value made of the bytes by both encoders, and back.
  static let encoder = FuzzTarget(name: "encoder", repeated: Repetition(choiceCount: 2)) { bytes in
    guard let (differential, setup, rest) = choices(in: bytes) else { return }
    var random = RandomSource(bytes: rest)
    let difference = differential.differenceInEncoding(&random, setup)
    require(difference == nil, difference ?? "")
  } growth: { bytes in
    guard let (_, setup, rest) = choices(in: bytes) else { return }
    var random = RandomSource(bytes: rest)
    let values = (0..<rest.count / 64).map { _ in Optionals(sample: &random) }
    _ = try? setup.encoders().ours.encode(values)
  }

  /// The mapping operators and the direct reader over any text, against the decoder; and the writer against the encoder.
  static let paths = FuzzTarget(name: "paths", repeated: .elements(after: 1)) { bytes in
    guard let first = bytes.first else { return }
    let paths = OtherPaths.all[Int(first) % OtherPaths.all.count]
    let text = Array(bytes.dropFirst())
    let difference = paths.differenceInReading(text)
    require(difference == nil, difference ?? "")
    var random = RandomSource(bytes: text)
    let writing = paths.differenceInWriting(&random)
    require(writing == nil, writing ?? "")
  } growth: { bytes in
    let text = Array(bytes.dropFirst())
    _ = try? [Optionals].decode(JSON(parsing: text))
    guard let values = try? JSON.read([Optionals].self, from: text) else { return }
    _ = try? JSON.write(values)
  }

  /// The type and the strategies that the first two bytes choose, and the remaining bytes.
  private static func choices(in bytes: [UInt8]) -> (Differential, CoderSetup, [UInt8])? {
    guard bytes.count >= 2 else { return nil }
    let setups = CoderSetup.allCases
    return (
      Differential.all[Int(bytes[0]) % Differential.all.count], setups[Int(bytes[1]) % setups.count],
      Array(bytes.dropFirst(2))
    )
  }
}
