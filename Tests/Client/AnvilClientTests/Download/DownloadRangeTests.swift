import AnvilClient
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// Responses with a range other than the requested one, and responses to a range that begins at the end of the file.
@Suite(.timeLimit(.minutes(15))) struct DownloadRangeTests {
  private let folder: TemporaryFolder
  private let content = Data.random(100_000)
  private let origin: Origin

  init() throws {
    folder = try TemporaryFolder()
    origin = try Origin(content)
  }

  private func download() async -> Result<TransportSuccess, TransportFailure> {
    await origin.service.download(origin.request, to: folder.target, options: .impatient)
  }

  private func expectWhole() throws {
    #expect(try Data(contentsOf: folder.target) == content)
    #expect(try folder.names == ["big.iso"])
  }

  private static let tag: HTTP.Headers = [.eTag: "\"v1\""]

  @Test(
    arguments: [
      ([.contentRange: "bytes 0-99999/100000"], "the response is a 206 that begins at byte 0 instead of 50000"),
      ([.contentRange: "bytes 50001-99999/100000"], "the response is a 206 that begins at byte 50001 instead of 50000"),
      ([:], "the response is a 206 without a valid range of bytes in Content-Range"),
      ([.contentRange: "bytes */100000"], "the response is a 206 without a valid range of bytes in Content-Range"),
      (
        [.contentRange: "lines 50000-99999/100000"],
        "the response is a 206 without a valid range of bytes in Content-Range"
      ),
      (
        [.contentType: "Multipart/Byteranges; boundary=x", .contentRange: "bytes 50000-99999/100000"],
        "the response is a 206 with several parts, but the request had one range"
      ),
    ] as [(HTTP.Headers, String)])
  func rejectsAWrongRangeWithAReason(fields: HTTP.Headers, reason: String) async throws {
    let part = content.dropFirst(50_000)
    origin.change { state in
      state.cuts = [50_000]
      state.answers = [{ _ in nil }, { _ in .chunks([part], status: 206, headers: Self.tag.merging(fields)) }]
    }
    let failure = try #require(await download().failure)
    #expect(failure.error == TransportError(code: .malformedResponse, phase: .firstByte))
    #expect(failure.error.reason == reason)
    // The next call must not fail in the same way.
    #expect(try folder.names == [])
    _ = try await download().get()
    try expectWhole()
  }

  @Test func rejectsAnUnsolicitedPart() async throws {
    let all = content
    origin.change { state in
      state.answers = [{ _ in .chunks([all], status: 206, headers: [.contentRange: "bytes 0-99999/100000"]) }]
    }
    #expect(await download().failure?.error.reason == "the response is a 206, but the request had no range")
  }

  @Test func rejectsMoreBytesThanTheRange() async throws {
    origin.change { state in
      state.cuts = [50_000]
      state.answers = [
        { _ in nil },
        { _ in
          .chunks(
            [Data(count: 50_001)], status: 206,
            headers: Self.tag.merging([.contentRange: "bytes 50000-99999/100000"]))
        },
      ]
    }
    #expect(await download().failure?.error.reason == "more bytes were received than announced")
    #expect(try folder.names == [])
  }

  @Test func requestsTheRestAfterAShorterRange() async throws {
    let part = content[50_000..<60_000]
    origin.change { state in
      state.cuts = [50_000]
      state.answers = [
        { _ in nil },
        { _ in
          .chunks([part], status: 206, headers: Self.tag.merging([.contentRange: "bytes 50000-59999/*"]))
        },
      ]
    }
    _ = try await download().get()
    try expectWhole()
    #expect(origin.ranges == ["-", "bytes=50000-", "bytes=60000-"])
  }

  /// After an interrupted chunked body, it is unknown whether the last data chunk is missing or only the end marker.
  @Test func aFileOfUnknownLengthIsConfirmedByItsLastByte() async throws {
    origin.change { ($0.statesLength, $0.cuts) = (false, [100_000]) }
    #expect(try await download().get().response.code == 206)
    try expectWhole()
    #expect(origin.ranges == ["-", "bytes=100000-", "bytes=99999-"])
  }

  @Test(
    arguments: [
      [.contentRange: "bytes */70000"], [:], [.contentRange: "bytes 5-6/100000"],
      [.contentRange: "bytes */100000", .eTag: "\"v2\""],
    ] as [HTTP.Headers])
  func aRangeBeyondTheEndRestartsTheDownload(fields: HTTP.Headers) async throws {
    origin.change { state in
      (state.statesLength, state.cuts) = (false, [100_000])
      state.answers = [{ _ in nil }, { _ in .status(416, headers: fields) }]
    }
    _ = try await download().get()
    try expectWhole()
    #expect(origin.ranges == ["-", "bytes=100000-", "-"])
  }

  @Test func a416WithoutARangeIsAFailure() async throws {
    origin.change { $0.answers = [{ _ in .status(416, headers: [.contentRange: "bytes */0"]) }] }
    #expect(await download().failure?.response?.code == 416)
    #expect(origin.ranges == ["-"])
  }

  /// The part has no length, so that only its range shows that the body was cut.
  @Test func aCutPartOfAFileOfUnknownLengthIsNotTheEnd() async throws {
    let part = content[50_000..<75_000]
    origin.change { state in
      (state.statesLength, state.cuts) = (false, [50_000])
      state.answers = [
        { _ in nil },
        { _ in .chunks([part], status: 206, headers: Self.tag.merging([.contentRange: "bytes 50000-99999/*"])) },
        { _ in .status(416, headers: Self.tag.merging([.contentRange: "bytes */75000"])) },
        { request in
          request.headers.contains(.range)
            ? .chunks(
              [part.suffix(1)], status: 206, headers: Self.tag.merging([.contentRange: "bytes 74999-74999/75000"]))
            : nil
        },
      ]
    }
    _ = try await download().get()
    try expectWhole()
  }

  @Test func aPartBeyondTheKnownLengthIsNotTheFile() async throws {
    let other = Data(count: 50_000)
    origin.change { state in
      state.cuts = [50_000]
      state.answers = [
        { _ in nil },
        { _ in .chunks([other], status: 206, headers: Self.tag.merging([.contentRange: "bytes 50000-149999/*"])) },
      ]
    }
    _ = try await download().get()
    try expectWhole()
    #expect(origin.ranges == ["-", "bytes=50000-", "-"])
  }

  /// Only a complete representation may become the file.
  @Test(
    arguments: [
      [.contentRange: "bytes 50000-99999/100000"], [.contentRange: "bytes 50000-99999/*"],
      [.contentRange: "bytes 0-49999/100000"], [.contentRange: "bytes 50000-99999"], [.contentRange: "bytes */100000"],
      // The strong validator is that of the whole file, whose length is known.
      [:], [.contentLength: "50000"],
    ] as [HTTP.Headers])
  func aWholeResponseWithOnlyTheRestIsNeverASuccess(fields: HTTP.Headers) async throws {
    let rest = content.dropFirst(50_000)
    origin.change { state in
      state.cuts = [50_000]
      state.answers = [{ _ in nil }, { _ in .chunks([rest], status: 200, headers: Self.tag.merging(fields)) }]
    }
    var options = DownloadOptions.impatient
    options.fruitlessAttemptLimit = 1
    let failure = await origin.service.download(origin.request, to: folder.target, options: options).failure
    #expect([.malformedResponse, .truncatedResponse].contains(failure?.error.code))
    #expect(!FileManager.default.fileExists(atPath: folder.target.path()))
    _ = try await download().get()
    try expectWhole()
  }

  @Test func aPartThatWasNotRequestedIsNeverASuccess() async throws {
    let rest = content.dropFirst(50_000)
    origin.change { state in
      state.answers = [{ _ in .chunks([rest], status: 200, headers: [.contentRange: "bytes 50000-99999/100000"]) }]
    }
    #expect(await download().failure?.error.code == .malformedResponse)
    #expect(try folder.names == [])
  }

  /// Some servers state the range of the whole file.
  @Test func aWholeResponseWithTheRangeOfTheFileIsAccepted() async throws {
    let all = content
    origin.change { state in
      state.cuts = [50_000]
      state.answers = [
        { _ in nil },
        { _ in .chunks([all], status: 200, headers: Self.tag.merging([.contentRange: "bytes 0-99999/100000"])) },
      ]
    }
    _ = try await download().get()
    try expectWhole()
  }

  @Test func aWholeResponseOfAnotherStateReplacesTheBytes() async throws {
    let other = Data.random(70_000)
    origin.change { state in
      state.cuts = [50_000]
      state.answers = [{ _ in nil }, { _ in .chunks([other], status: 200, headers: [.eTag: "\"v2\""]) }]
    }
    _ = try await download().get()
    #expect(try Data(contentsOf: folder.target) == other)
  }
}
