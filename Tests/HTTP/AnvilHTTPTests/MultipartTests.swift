import AnvilHTTP
import AnvilTestSupport
import Foundation
import Testing

@Suite struct MultipartTests {
  @Test func textDataAndFileAreWrittenInOrder() async throws {
    try await withTemporaryFile(Data("in the file\r\n".utf8), named: "notes.txt") { url in
      let body = HTTP.Body.multipart(
        [
          .text("Grüße\n", name: "title"),
          .data(Data([0x00, 0xFF]), name: "thumb", filename: "t.png", contentType: "image/png"),
          .file(url, name: "notes", contentType: .textPlain),
        ], boundary: "XX")
      var expected = Data(
        """
        --XX\r
        Content-Disposition: form-data; name="title"\r
        \r
        Grüße\n\r
        --XX\r
        Content-Disposition: form-data; name="thumb"; filename="t.png"\r
        Content-Type: image/png\r
        \r

        """.utf8)
      expected.append(contentsOf: [0x00, 0xFF])
      expected.append(
        contentsOf: """
          \r
          --XX\r
          Content-Disposition: form-data; name="notes"; filename="notes.txt"\r
          Content-Type: text/plain\r
          \r
          in the file\r
          \r
          --XX--\r

          """.utf8)
      let written = try await body.collect()
      #expect(written == expected)
      #expect(body.length == expected.count)
      #expect(body.contentType == "multipart/form-data; boundary=XX")
    }
  }

  @Test func anEmptyFormHasOnlyTheClosingBoundary() {
    let body = HTTP.Body.multipart([], boundary: "XX")
    #expect(body.string == "--XX--\r\n")
    #expect(body.contentType == "multipart/form-data; boundary=XX")
  }

  @Test func emptyPartsAreWritten() {
    let body = HTTP.Body.multipart([.text("", name: ""), .data(Data(), name: "d", contentType: nil)], boundary: "B")
    #expect(
      body.string == """
        --B\r
        Content-Disposition: form-data; name=""\r
        \r
        \r
        --B\r
        Content-Disposition: form-data; name="d"\r
        \r
        \r
        --B--\r

        """)
  }

  @Test(arguments: [
    (#"a"b"#, "a%22b"), ("a\rb", "a%0Db"), ("a\nb", "a%0Ab"), ("a\r\nb", "a%0D%0Ab"), ("\"\u{301}", "%22\u{301}"),
    ("ü日🙂", "ü日🙂"), ("100%", "100%"), (#"a\b"#, #"a\b"#), ("a;b=c d'", "a;b=c d'"),
  ])
  func namesAndFilenamesAreEscapedAsBrowsersDo(name: String, escaped: String) throws {
    let body = HTTP.Body.multipart(
      [.data(Data("x".utf8), name: name, filename: name, contentType: nil)], boundary: "B")
    let expected =
      "--B\r\nContent-Disposition: form-data; name=\"\(escaped)\"; filename=\"\(escaped)\"\r\n\r\nx\r\n--B--\r\n"
    #expect(body.data == Data(expected.utf8))
  }

  /// With quadratic time, this would not end within the limit.
  @Test(.timeLimit(.minutes(15))) func aLongNameThatIsEscapedTakesLinearTime() {
    let name = String(repeating: "\"", count: 1 << 20)
    let body = HTTP.Body.multipart([.text("x", name: name)], boundary: "B")
    let plain = HTTP.Body.multipart([.text("x", name: "")], boundary: "B")
    #expect(body.length == plain.length.map { $0 + 3 << 20 })
  }

  @Test func aFileCanBeSentWithAnotherName() async throws {
    try await withTemporaryFile(Data(), named: "private.bin") { url in
      let form = HTTP.Body.multipart([.file(url, name: "f", filename: "public.bin")], boundary: "B")
      let text = try await String(decoding: form.collect(), as: UTF8.self)
      #expect(text.contains("filename=\"public.bin\"\r\nContent-Type: application/octet-stream\r\n"))
    }
  }

  @Test func boundariesAreUnique() throws {
    let boundaries = (0..<100).map { _ in HTTP.Body.multipart([.text("1", name: "a")]).contentType?.rawValue ?? "" }
    #expect(Set(boundaries).count == 100)
    let pattern = /multipart\/form-data; boundary=anvil-[0-9a-f]{32}/
    #expect(boundaries.allSatisfy { $0.wholeMatch(of: pattern) != nil })
    let form = HTTP.Body.multipart([.text("1", name: "a")])
    let boundary = try #require(form.contentType?.rawValue.split(separator: "=").last)
    #expect(form.string?.hasPrefix("--\(boundary)\r\n") == true)
    #expect(form.string?.hasSuffix("\r\n--\(boundary)--\r\n") == true)
  }

  @Test(arguments: ["a", String(repeating: "b", count: 70), "aZ09'+-._"])
  func boundariesCanBeSet(boundary: String) {
    #expect(HTTP.Body.multipart([], boundary: boundary).string == "--\(boundary)--\r\n")
  }

  @Test(arguments: ["", "a b", "a\r\nb", "a\"", "ü", String(repeating: "b", count: 71)])
  func invalidBoundariesAreDetected(boundary: String) {
    #expect(!MultipartForm.isBoundary(boundary))
  }

  // MARK: Storage of the content

  @Test func aFormWithoutFilesIsInMemory() {
    let body = HTTP.Body.multipart([.text("1", name: "a"), .data(Data("2".utf8), name: "b")])
    #expect(body.data != nil && body.data?.count == body.length && body.isReplayable && body.isReadable)
  }

  @Test func filesAreStreamedInBoundedChunks() async throws {
    let content = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try await withTemporaryFile(content, named: "large.bin") { url in
      let body = HTTP.Body.multipart([.text("1", name: "a"), .file(url, name: "f")], boundary: "B")
      #expect(body.data == nil && body.fileURL == nil)
      var bytes = Data()
      var largest = 0
      for try await chunk in body {
        #expect(!chunk.isEmpty)
        largest = max(largest, chunk.count)
        bytes.append(chunk)
      }
      #expect(largest <= 65_536)
      #expect(bytes.count == body.length)
      #expect(bytes.suffix(content.count + 9) == content + Data("\r\n--B--\r\n".utf8))
    }
  }

  @Test func filesCanBeReadRepeatedly() async throws {
    try await withTemporaryFile(Data("one".utf8), named: "f") { url in
      let body = HTTP.Body.multipart([.file(url, name: "f"), .file(url, name: "g")])
      #expect(body.isReplayable && body.isReadable)
      let first = try await body.collect()
      #expect(try await body.collect() == first)
      try Data("three".utf8).write(to: url)
      #expect(body.length == first.count + 4)
      #expect(try await body.collect().count == first.count + 4)
    }
  }

  @Test func aMissingFileFailsReading() async throws {
    let url = URL(filePath: "/no/such/file.bin")
    let body = HTTP.Body.multipart([.text("1", name: "a"), .file(url, name: "f"), .text("2", name: "b")])
    #expect(body.length == nil)
    let expected = HTTP.BodyError.unreadableFile(name: "file.bin", reason: "No such file or directory")
    var iterator = body.makeAsyncIterator()
    do {
      while try await iterator.next() != nil {}
      Issue.record("expected an error")
    } catch {
      #expect(error as? HTTP.BodyError == expected)
    }
    #expect(try await iterator.next() == nil)
  }

  @Test func streamIsReadOnceAndOnlyWhenItsTurnComes() async throws {
    let stream = HTTP.Body.stream(
      AsyncStream<Data> {
        $0.yield(Data("ab".utf8))
        $0.finish()
      }, length: 2, contentType: nil)
    let body = HTTP.Body.multipart([.text("1", name: "a"), HTTP.FormPart(name: "s", body: stream)], boundary: "B")
    #expect(!body.isReplayable)
    var iterator = body.makeAsyncIterator()
    _ = try await iterator.next()
    #expect(body.isReadable)
    let bytes = try await body.collect()
    #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("name=\"s\"\r\n\r\nab\r\n--B--\r\n"))
    #expect(bytes.count == body.length)
    #expect(!body.isReadable)
    await #expect(throws: HTTP.BodyError.alreadyConsumed) { try await body.collect() }
  }

  @Test func theLengthIsUnknownIfThatOfAPartIs() {
    let stream = HTTP.Body.stream(AsyncStream<Data> { $0.finish() })
    let other = HTTP.Body.stream(AsyncStream<Data> { $0.finish() }, length: .max)
    #expect(HTTP.Body.multipart([HTTP.FormPart(name: "s", body: stream)]).length == nil)
    #expect(HTTP.Body.multipart([HTTP.FormPart(name: "s", body: other)]).length == nil)
  }

  @Test(arguments: ["text/plain\r\nX-Injected: yes", "a/b\nc", "a\0"] as [HTTP.HeaderValue])
  func aMediaTypeThatWouldSplitThePartIsRejected(type: HTTP.HeaderValue) async throws {
    let body = HTTP.Body.multipart([.data(Data("x".utf8), name: "d\n", contentType: type)])
    #expect(body.data == nil && body.length == nil)
    let error = await #expect(throws: HTTP.BodyError.self) { try await body.collect() }
    #expect(error == .invalidContentType(part: "d\n"))
    #expect(error?.description == #"the media type of the form's part d\u{a} has a control character"#)
  }

  @Test func formsOfEqualPartsAreEqual() {
    let url = URL(filePath: "/no/such/file.bin")
    let form = HTTP.Body.multipart([.file(url, name: "f")], boundary: "B")
    #expect(form == HTTP.Body.multipart([.file(url, name: "f")], boundary: "B"))
    #expect(form != HTTP.Body.multipart([.file(url, name: "g")], boundary: "B"))
    #expect(form != HTTP.Body.multipart([.file(url, name: "f")], boundary: "C"))
    #expect(form != HTTP.Body.empty)
  }

  @Test func descriptionShowsNoParts() async throws {
    #expect("\(HTTP.Body.multipart([.text("secret", name: "a")], boundary: "B"))" == "64 B")
    try await withTemporaryFile(Data("secret".utf8), named: "f") { url in
      let part = HTTP.FormPart(name: "a", body: .file(url, contentType: nil))
      #expect("\(HTTP.Body.multipart([part], boundary: "B"))" == "form, 64 B")
    }
  }

  private func withTemporaryFile(
    _ content: Data, named name: String, _ body: (URL) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: name)
      try content.write(to: url)
      try await body(url)
    }
  }
}
