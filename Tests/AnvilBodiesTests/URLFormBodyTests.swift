import AnvilBodies
import AnvilFormats
import AnvilHTTP
import AnvilJSON
import Foundation
import Testing

@Suite struct URLFormBodyTests {
  struct User: Codable, Equatable {
    var name: String
    var tags: [String]
  }

  private let user = User(name: "ada", tags: ["a", "b"])

  @Test func bodiesEncodeAndDecodeForms() throws {
    var body = HTTP.Body.empty
    try body.encode(user, with: URLForm.Encoder())
    #expect(body.string == "name=ada&tags%5B%5D=a&tags%5B%5D=b")
    #expect(body.contentType == .applicationFormURLEncoded)
    #expect(try body.decode(as: User.self, with: URLForm.Decoder()) == user)
  }

  @Test func formsCanBeTheFormatOfABody() throws {
    var body = HTTP.Body.empty
    body.encodingFormat = URLForm.Encoder(arrays: .repeated)
    body.decodingFormat = URLForm.Decoder()
    try body.encode(user)
    #expect(body.string == "name=ada&tags=a&tags=b")
    #expect(try body.decode(as: User.self) == user)
  }

  @Test func modelsCanBeURLFormBodies() throws {
    let body: HTTP.Body = try .urlForm(user)
    #expect(body.string == "name=ada&tags%5B%5D=a&tags%5B%5D=b" && body.contentType == .applicationFormURLEncoded)
    #expect(
      try HTTP.Body.urlForm(user, encoder: URLForm.Encoder(arrays: .indices)).string?.hasSuffix("%5B1%5D=b") == true)
    let dictionary = ["q": "x y"]
    #expect(try HTTP.Body.urlForm(dictionary).string == "q=x+y")
    #expect(throws: EncodingError.self) { try HTTP.Body.urlForm([1]) }
  }

  /// A literal is a list of pairs, without `try`. The order and duplicates are kept.
  @Test func literalsKeepTheirPairs() {
    let body: HTTP.Body = .urlForm(["b": "1", "a": "2", "b": "3", "u[n]": "4"])
    #expect(body.string == "b=1&a=2&b=3&u%5Bn%5D=4")
    #expect(HTTP.Body.urlForm([:]).string == "")
    let pairs = ["b", "a"].map { ($0, "1") }
    #expect(HTTP.Body.urlForm(pairs).string == "b=1&a=1")
  }
}
