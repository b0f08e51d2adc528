import AnvilCodable
import AnvilJSON
import Foundation
import Testing

/// A model whose macros have the name of their module, as in a file that imports another module with macros of the same names.
@AnvilCodable.JSONCodable
struct QualifiedModel: Equatable {
  @AnvilCodable.CodingKey("full_name") var name: String
  @AnvilCodable.CodableDefault(3) var count: Int
}

@Suite struct QualifiedMacroTests {
  @Test func macrosMayHaveTheNameOfTheirModule() throws {
    let model = try JSON.Decoder().decode(QualifiedModel.self, from: Data(#"{"full_name": "ada"}"#.utf8))
    #expect(model == QualifiedModel(name: "ada", count: 3))
    let text = String(decoding: try JSON.Encoder().encode(model), as: UTF8.self)
    #expect(text.contains(#""full_name":"ada""#))
  }
}
