import AnvilBase
import AnvilBodies
import AnvilHTTP
import AnvilJSON
import Foundation
import Testing

@Suite struct DeferredBodyTests {
  private struct Draft: Codable, Equatable {
    var name: String
    var score = 1.5
  }

  @Test func theValueIsEncodedInTheFormatThatIsSetWhenItIsRead() async throws {
    var body = HTTP.Body.encoding(Draft(name: "Ada"))
    body.encodingFormat = PropertyListEncoder()
    let data = try await body.collect()
    #expect(try PropertyListDecoder().decode(Draft.self, from: data) == Draft(name: "Ada"))
  }

  @Test func theValuesOwnFormatTakesPrecedence() async throws {
    var body = HTTP.Body.encoding(Draft(name: "Ada"), with: JSON.Encoder())
    body.encodingFormat = PropertyListEncoder()
    #expect(try await JSON.Decoder().decode(Draft.self, from: body.collect()) == Draft(name: "Ada"))
  }

  @Test func deferredBodiesCanBeReadRepeatedly() async throws {
    let body = HTTP.Body.encoding(Draft(name: "Ada"))
    #expect(body.isReplayable && body.isReadable && !body.isEmpty)
    #expect(body.data == nil && body.length == nil)
    #expect(try await body.collect() == body.collect())
    #expect(body == body && body != .encoding(Draft(name: "Ada")))
    #expect("\(body)" == "value to be encoded")
  }

  @Test func encodingErrorsHaveThePathButNoValue() async throws {
    let body = HTTP.Body.encoding(["list": [Draft(name: "Ada", score: .infinity)]])
    let error = await #expect(throws: HTTP.BodyError.self) { try await body.collect() }
    #expect(
      error?.description
        == "a value of type Dictionary<String, Array<Draft>> cannot be encoded: invalid value at $.list[0].score")
  }

  @Test func deferredBodiesAreDecodedAsTheyWouldBeSent() throws {
    var body = HTTP.Body.encoding(Draft(name: "Ada"))
    body.encodingFormat = PropertyListEncoder()
    body.decodingFormat = PropertyListDecoder()
    #expect(try body.decode(as: Draft.self) == Draft(name: "Ada"))
    #expect(throws: HTTP.BodyError.self) {
      try HTTP.Body.encoding([Double.infinity]).decode(as: [Double].self)
    }
  }

  @Test func encodingKeepsMediaTypeCodingsAndFormats() throws {
    var body = HTTP.Body.encoding(Draft(name: "Ada"))
    body.contentType = "application/vnd.example+json"
    body.contentEncoding = "br"
    let encoded = try body.encoded()
    #expect(encoded.string == #"{"name":"Ada","score":1.5}"#)
    #expect(encoded.contentType == body.contentType && encoded.contentEncoding == "br")
    #expect(try encoded.encoded() == encoded)
  }

  // MARK: Parts of forms

  private func head(_ name: String, _ type: String) -> String {
    "Content-Disposition: form-data; name=\"\(name)\"\r\nContent-Type: \(type)\r\n\r\n"
  }

  @Test func valuesInFormsAreEncodedWithTheirMediaType() async throws {
    let form = HTTP.Body.multipart(
      [.text("1", name: "a"), HTTP.FormPart(name: "meta", body: .encoding(Draft(name: "Ada")))], boundary: "B")
    let text = """
      --B\r
      Content-Disposition: form-data; name="a"\r
      \r
      1\r
      --B\r
      \(head("meta", "application/json")){"name":"Ada","score":1.5}\r
      --B--\r

      """
    #expect(try await String(decoding: form.collect(), as: UTF8.self) == text)
    let encoded = try form.encoded()
    #expect(encoded.string == text && encoded.length == text.utf8.count && encoded.contentType == form.contentType)
    #expect(form.isReplayable && form.length == nil && form == form)
  }

  @Test func valuesInFormsAreEncodedInTheFormatOfTheForm() throws {
    var own = HTTP.Body.encoding(Draft(name: "Ada"))
    own.encodingFormat = JSON.Encoder()
    var typed = HTTP.Body.encoding(Draft(name: "Ada"))
    typed.contentType = "application/vnd.example+plist"
    let inner = HTTP.Body.multipart([HTTP.FormPart(name: "d", body: .encoding(Draft(name: "Ada")))], boundary: "C")
    var form = HTTP.Body.multipart(
      [
        HTTP.FormPart(name: "a", body: .encoding(Draft(name: "Ada"))), HTTP.FormPart(name: "b", body: own),
        HTTP.FormPart(name: "c", body: typed), HTTP.FormPart(name: "inner", body: inner),
      ], boundary: "B")
    form.encodingFormat = PropertyListEncoder()
    let data = try #require(try form.encoded().data)
    let text = String(decoding: data, as: UTF8.self)
    for head in [
      head("a", "application/x-plist"), head("b", "application/json"), head("c", "application/vnd.example+plist"),
      head("inner", "multipart/form-data; boundary=C"), head("d", "application/x-plist"),
    ] {
      #expect(text.contains(head), "\(head)")
    }
  }

  @Test func valuesBesideFilesAreEncoded() async throws {
    let stream = AsyncStream<Data> {
      $0.yield(Data("s".utf8)); $0.finish()
    }
    let form = HTTP.Body.multipart(
      [HTTP.FormPart(name: "v", body: .encoding([1])), HTTP.FormPart(name: "s", body: .stream(stream, length: 1))],
      boundary: "B")
    let encoded = try form.encoded()
    #expect(encoded.length != nil && encoded.data == nil && !encoded.isReplayable)
    let text = try await String(decoding: encoded.collect(), as: UTF8.self)
    #expect(text.contains(head("v", "application/json") + "[1]") && text.utf8.count == encoded.length)
  }

  @Test func valuesInFormsThatCannotBeEncodedAreErrors() async throws {
    let form = HTTP.Body.multipart([HTTP.FormPart(name: "v", body: .encoding([Double.infinity]))])
    #expect(throws: HTTP.BodyError.self) { try form.encoded() }
    await #expect(throws: HTTP.BodyError.self) { try await form.collect() }
  }

  @Test func valuesInCompressedFormsAreEncoded() throws {
    var form = HTTP.Body.multipart([HTTP.FormPart(name: "v", body: .encoding([1]))], boundary: "B")
    let plain = try form.encoded()
    #expect(try form.gzipped().encoded().data == plain.gzipped().data)
    form.encodingFormat = PropertyListEncoder()
    #expect(try form.gzipped().encoded().data == form.encoded().gzipped().data)
    #expect(try form.gzipped().encoded().data != plain.gzipped().data)
  }

  /// A part has no field for its content coding. Source: RFC 7578 §4.8.
  @Test func partsWithAContentCodingAreErrors() async throws {
    let part = HTTP.FormPart(name: "a", body: try HTTP.Body("text").gzipped())
    let form = HTTP.Body.multipart([part])
    let error = await #expect(throws: HTTP.BodyError.self) { try await form.collect() }
    #expect(
      error?.description
        == "the form's part a has the content coding gzip, which a part cannot state")
    #expect(form.data == nil && form.length == nil)
    var bytes = part.body
    bytes.contentEncoding = nil
    bytes.contentType = "application/gzip"
    #expect(HTTP.Body.multipart([HTTP.FormPart(name: "a", body: bytes)]).data != nil)
  }
}
