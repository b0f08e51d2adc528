import AnvilJSON
import Foundation

/// A document and its models. Both models have every field.
protocol BenchmarkCase {
  /// The model for `Codable` and mappings. With macros it would have the direct path, which coders would then take.
  associatedtype Model: Codable & Equatable & JSONDecodable
  /// The model with macros.
  associatedtype MacroModel: Equatable & JSONDirectlyDecodable & JSONDirectlyEncodable

  /// Implementations with a handwritten reader, to which the macros' reader is compared.
  static var decodersByHand: [DecodingImplementation<Model>] { get }
  /// Implementations with a handwritten writer.
  static var encodersByHand: [EncodingImplementation<Model>] { get }
}

extension BenchmarkCase {
  static var decodersByHand: [DecodingImplementation<Model>] { [] }
  static var encodersByHand: [EncodingImplementation<Model>] { [] }
}

extension Twitter: BenchmarkCase {
  typealias Model = Root
  typealias MacroModel = MacroTwitter.Root

  static var decodersByHand: [DecodingImplementation<Root>] {
    [.init(name: "Anvil JSON.read, by hand") { try JSON.read(Root.self, from: $0) }]
  }

  static var encodersByHand: [EncodingImplementation<Root>] {
    [.init(name: "Anvil JSON.write, by hand") { try JSON.write($0) }]
  }
}

extension CitmCatalog: BenchmarkCase {
  typealias Model = Root
  typealias MacroModel = MacroCitmCatalog.Root
}

extension Canada: BenchmarkCase {
  typealias Model = Root
  typealias MacroModel = MacroCanada.Root
}

extension GitHubEvents: BenchmarkCase {
  typealias Model = Root
  typealias MacroModel = MacroGitHubEvents.Root
}

extension SmallObject: BenchmarkCase {
  typealias Model = Self
  typealias MacroModel = MacroSmallObject
}
