import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilJSON

/// `JSON.Decoder` and `JSON.Encoder` against Foundation's over types, values and documents made at random: 10⁵ documents with
/// `ANVIL_THOROUGH`, or as many as `ANVIL_DIFFERENTIAL_DOCUMENTS` says.
@Suite struct DifferentialTests {
  static let documents =
    ProcessInfo.processInfo.environment["ANVIL_DIFFERENTIAL_DOCUMENTS"].flatMap(Int.init) ?? rounds(100_000)

  @Test(arguments: Differential.all)
  func codersAgree(differential: Differential) async {
    let count = Self.documents / Differential.all.count + 1
    await onOwnThread { differential.run(1, count) }.expectAgreement(count: count)
  }

  @Test(arguments: OtherPaths.all)
  func pathsAgree(paths: OtherPaths) async {
    let count = Self.documents / 4 / OtherPaths.all.count + 1
    await onOwnThread { paths.run(2, count) }.expectAgreement(count: count)
  }

  @Test func valuesWithNaNAreCompared() {
    func outcome(_ text: String) -> DecodingOutcome<Whatever> {
      DecodingOutcome { try CoderSetup.floatsAsStrings.decoders().ours.decode(Whatever.self, from: Data(text.utf8)) }
    }
    #expect(outcome(#"["nan",[1]]"#) == outcome(#"["nan", [1]]"#))
    #expect(outcome(#"["nan",[1]]"#) != outcome(#"["nan",[2]]"#))
  }

  /// A difference that no longer exists must be removed from the list.
  @Test(arguments: KnownDifference.all)
  func knownDifferencesAreStillThere(difference: KnownDifference) {
    let example = difference.example()
    #expect(example.found?.kind != example.expected?.kind || example.found?.path != example.expected?.path)
    #expect(KnownDifference.all.first { $0.explains(example) }?.name == difference.name)
  }
}

extension OtherPaths: CustomTestStringConvertible {
  var testDescription: String { name }
}

extension KnownDifference: CustomTestStringConvertible {
  var testDescription: String { name }
}

extension Differential: CustomTestStringConvertible {
  var testDescription: String { name }
}
