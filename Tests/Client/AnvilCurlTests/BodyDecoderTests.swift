import AnvilBodies
import AnvilClient
import Foundation
import Testing

@testable import AnvilCurl

/// Content codings that are decoded from parts of any size.
@Suite struct BodyDecoderTests {
  private typealias Limits = CurlSession.Configuration.DecompressionLimits

  /// Returns the decoded `bytes`, passed in parts of up to `step` and read into `room` bytes at a time.
  private func decode(
    _ bytes: Data, _ codings: [String], step: ClosedRange<Int>, room: ClosedRange<Int>,
    _ limits: CurlSession.Configuration.DecompressionLimits = .init()
  ) throws -> (Data, isWhole: Bool) {
    let decoder = try #require(BodyDecoder(codings, limits: limits))
    var rest = bytes[...]
    var result = Data()
    while true {
      let part = [UInt8](rest.prefix(Int.random(in: step)))
      rest = rest.dropFirst(part.count)
      unsafe part.withUnsafeBytes { unsafe decoder.append($0.bytes) }
      while true {
        var output = [UInt8](repeating: 0xEE, count: Int.random(in: room))
        // Safety: the buffer is valid during the call.
        let count = try unsafe output.withUnsafeMutableBytes { room in try unsafe decoder.read(into: room) }
        guard count > 0 else { break }
        result += output.prefix(count)
      }
      if rest.isEmpty { return (result, decoder.isAtEnd) }
    }
  }

  @Test(arguments: Packed.texts.indices) func outputDoesNotDependOnChunkSizes(index: Int) throws {
    let (codings, bytes) = Packed.texts[index]
    for most in [1, 2, 3, 7, 40, 1000] {
      for room in [1, 2, 5, 64, 328, 329, 4096] {
        let (text, isWhole) = try decode(bytes, codings, step: 1...most, room: 1...room)
        #expect(text == Packed.text, "parts of up to \(most) into \(room)")
        #expect(isWhole)
      }
    }
  }

  @Test(arguments: Packed.texts.indices) func truncationIsDetected(index: Int) throws {
    let (codings, bytes) = Packed.texts[index]
    for count in 1..<bytes.count {
      let (text, isWhole) = try decode(bytes.prefix(count), codings, step: 1...50, room: 1...400)
      #expect(!isWhole, "\(count) of \(bytes.count) bytes")
      #expect(Packed.text.starts(with: text))
    }
  }

  @Test(arguments: Packed.texts.indices) func damagedInputDoesNotTrap(index: Int) throws {
    let (codings, bytes) = Packed.texts[index]
    for _ in 0..<300 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3) { damaged[Int.random(in: 0..<damaged.count)] = .random(in: 0...255) }
      do {
        _ = try decode(damaged + Data(repeating: 7, count: .random(in: 0...3)), codings, step: 1...90, room: 1...900)
      } catch let error as TransportError {
        #expect(error.code == .malformedResponse)
      }
    }
  }

  /// libzstd of Debian decodes the first of these, of version 0.6, if it is passed as a whole.
  @Test(
    .enabled(if: ContentCoding(name: "zstd") != nil, "libzstd is not installed"),
    arguments: [[0x26, 0xB5, 0x2F, 0xFD, 1, 0, 0, 0], [0x25, 0xB5, 0x2F, 0xFD], [0x1F, 0x8B, 8, 0]] as [[UInt8]],
    [1...1, 8...8])
  func onlyFramesOfTheStandardAreZstandard(bytes: [UInt8], step: ClosedRange<Int>) {
    let error = #expect(throws: TransportError.self) {
      try decode(Data(bytes), ["zstd"], step: step, room: 64...64)
    }
    #expect(error?.code == .malformedResponse)
    #expect(error?.reason == "the compressed body is not in the format of Zstandard")
  }

  /// A skippable frame, a frame, and a skippable frame.
  @Test(.enabled(if: ContentCoding(name: "zstd") != nil, "libzstd is not installed"), arguments: [1...1, 100...100])
  func skippableFramesOfZstandardAreSkipped(step: ClosedRange<Int>) throws {
    let skippable = Data([0x5A, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3])
    let frame = try #require(Packed.texts.first { $0.0 == ["zstd"] }).1
    let (text, isWhole) = try decode(skippable + frame + skippable, ["zstd"], step: step, room: 64...64)
    #expect(text == Packed.text)
    #expect(isWhole)
  }

  /// Some programs fill the last block of a gzip file with zeros, which gzip ignores.
  @Test(arguments: [1, 7, 511, 100_000], [1...1, 100...5000])
  func zerosAfterGzipAreIgnored(count: Int, step: ClosedRange<Int>) throws {
    let member = try #require(Packed.texts.first { $0.0 == ["gzip"] }).1
    for body in [member, member + member] {
      let (text, isWhole) = try decode(body + Data(count: count), ["gzip"], step: step, room: 64...4096)
      #expect(text == (body.count == member.count ? Packed.text : Packed.text + Packed.text))
      #expect(isWhole)
    }
  }

  @Test(arguments: [1...1, 1000...1000]) func otherBytesAfterGzipAreRejected(step: ClosedRange<Int>) throws {
    let member = try #require(Packed.texts.first { $0.0 == ["gzip"] }).1
    for excess in [Data([7]), Data([0, 7]), Data(count: 5) + member, Data("text".utf8), Data([0x1F])] {
      do {
        let (_, isWhole) = try decode(member + excess, ["gzip"], step: step, room: 64...64)
        #expect(!isWhole, "\(excess.count)")
      } catch let error as TransportError {
        #expect(error.code == .malformedResponse)
      }
    }
    let deflated = try #require(Packed.texts.first { $0.0 == ["deflate"] }).1
    #expect(throws: TransportError.self) {
      try decode(deflated + Data(count: 3), ["deflate"], step: step, room: 64...64)
    }
  }

  @Test func emptyInputIsComplete() throws {
    let (text, isWhole) = try decode(Data(), ["gzip"], step: 1...1, room: 1...1)
    #expect(text.isEmpty)
    #expect(isWhole)
  }

  @Test func unknownCodingsAreRejected() {
    #expect(BodyDecoder(["compress"], limits: .init()) == nil)
    #expect(BodyDecoder(["gzip", "aes128gcm"], limits: .init()) == nil)
    #expect(BodyDecoder(Array(repeating: "gzip", count: ContentCoding.limit), limits: .init()) != nil)
  }

  @Test(arguments: Packed.zeros.indices) func compressionRatioIsLimited(index: Int) throws {
    let (coding, bytes) = Packed.zeros[index]
    let (zeros, isWhole) = try decode(bytes, [coding], step: 1000...1000, room: 65_536...65_536, .init(ratio: .max))
    #expect(zeros == Data(count: 8 << 20))
    #expect(isWhole)
    for limits in [Limits(), Limits(size: 3_000_000, ratio: .max), Limits(size: 0), Limits(size: -5, ratio: -5)] {
      let error = #expect(throws: TransportError.self) {
        try decode(bytes, [coding], step: 1000...1000, room: 65_536...65_536, limits)
      }
      #expect(error?.code == .responseTooLarge)
    }
  }

  @Test func librariesOfHomebrewAreFoundOnBothProcessors() {
    #expect(
      LoadedLibrary.paths(of: "libzstd.1.dylib") == [
        "libzstd.1.dylib", "/opt/homebrew/lib/libzstd.1.dylib", "/usr/local/lib/libzstd.1.dylib",
      ])
    #expect(LoadedLibrary.paths(of: "libzstd.so.1") == ["libzstd.so.1"])
  }
}
