internal import AnvilBase
internal import AnvilBodies
internal import AnvilClient

final class BodyDecoder {
  private final class Stage {
    let decoder: any ContentDecoder
    var input: [UInt8] = []
    var position = 0
    /// True if the last output buffer was filled. More output may then be available without further input.
    var mayHaveMore = false
    /// The number of bytes that this stage has produced.
    var count = 0

    init(_ decoder: any ContentDecoder) {
      self.decoder = decoder
    }
  }

  /// The number of bytes that are passed between two codings at a time.
  private static let stepSize = 16 << 10
  /// The number of decoded bytes above which the ratio is checked.
  private static let ratioStart = 1 << 20

  /// The stages in the order of decoding: the coding that was applied last comes first.
  private let stages: [Stage]
  private let limits: CurlSession.Configuration.DecompressionLimits
  private var receivedCount = 0
  private var failure: TransportError?

  /// Creates a decoder for `codings`, given in the order in which they were applied. Returns `nil` if one of them is not supported.
  init?(_ codings: [String], limits: CurlSession.Configuration.DecompressionLimits) {
    var stages: [Stage] = []
    for name in codings.reversed() {
      guard let decoder = ContentCoding(name: name)?.makeDecoder() else { return nil }
      stages.append(Stage(decoder))
    }
    self.stages = stages
    self.limits = limits
  }

  func append(_ bytes: RawSpan) {
    guard let first = stages.first else { return }
    receivedCount += bytes.byteCount
    if first.position > 0 {
      first.input.removeFirst(first.position)
      first.position = 0
    }
    first.input.append(bytes)
  }

  /// Writes the next decoded bytes to the start of `output` and returns their number. Returns 0 if more input is needed.
  ///
  /// - Throws: `malformedResponse` if the input is not valid in its coding, `responseTooLarge` if a limit is exceeded.
  func read(into output: UnsafeMutableRawBufferPointer) throws(TransportError) -> Int {
    do throws(MalformedContent) {
      return try unsafe read(stages.count - 1, into: output)
    } catch {
      throw failure ?? TransportError(code: .malformedResponse, phase: .body, reason: error.reason)
    }
  }

  /// Counts the output of a stage and checks the limits. They apply to each stage, because the next stage has to process its output.
  private func note(_ count: Int, from stage: Stage) throws(MalformedContent) {
    stage.count += count
    let (allowed, overflows) = receivedCount.multipliedReportingOverflow(by: max(1, limits.ratio))
    if stage.count > limits.size {
      failure = TransportError(
        code: .responseTooLarge, phase: .body, reason: "decompressed to more than \(limits.size) bytes")
    } else if stage.count > Self.ratioStart, !overflows, stage.count > allowed {
      failure = TransportError(
        code: .responseTooLarge, phase: .body,
        reason: "decompressed to more than \(limits.ratio) times the received size")
    }
    if failure != nil { throw MalformedContent(reason: "too large") }
  }

  private func read(
    _ index: Int, into output: UnsafeMutableRawBufferPointer
  ) throws(MalformedContent) -> Int {
    guard stages.indices.contains(index) else { return 0 }
    let stage = stages[index]
    while true {
      if stage.position < stage.input.count || stage.mayHaveMore {
        let (consumed, produced) = try unsafe decode(stage, into: output)
        stage.position += consumed
        stage.mayHaveMore = produced == output.count
        try note(produced, from: stage)
        if produced > 0 { return produced }
        if consumed > 0 { continue }
      }
      guard index > 0, try fetch(for: stage, from: index - 1) else { return 0 }
    }
  }

  private func decode(
    _ stage: Stage, into output: UnsafeMutableRawBufferPointer
  ) throws(MalformedContent) -> (consumed: Int, produced: Int) {
    let (decoder, position) = (stage.decoder, stage.position)
    // Safety: the decoder reads within the slice and writes within the output.
    let result = unsafe stage.input.withUnsafeBytes { input in
      Result { () throws(MalformedContent) in
        try unsafe decoder.decode(UnsafeRawBufferPointer(rebasing: input[position...]), into: output)
      }
    }
    return try result.get()
  }

  /// Passes output of the previous stage to this one. Returns `false` if the previous stage has no output.
  private func fetch(for stage: Stage, from index: Int) throws(MalformedContent) -> Bool {
    var step = [UInt8](repeating: 0, count: Self.stepSize)
    let result = unsafe step.withUnsafeMutableBytes { room in
      Result { () throws(MalformedContent) in try unsafe read(index, into: room) }
    }
    let count = try result.get()
    guard count > 0 else { return false }
    stage.input.removeFirst(stage.position)
    stage.position = 0
    stage.input.append(contentsOf: step.prefix(count))
    return true
  }

  /// True if the decoded body is complete. A body without any bytes counts as complete.
  var isAtEnd: Bool {
    receivedCount == 0 || stages.allSatisfy { $0.decoder.isAtEnd && $0.position == $0.input.count }
  }
}

extension CurlSession {
  /// True if a session that decompresses bodies decodes one with these codings, which must be in lower case.
  package static func decodes(_ codings: [String]) -> Bool {
    codings.count <= ContentCoding.limit && codings.allSatisfy { ContentCoding(name: $0) != nil }
  }
}

extension RawSpan {
  /// The byte at `offset`, which must be less than the span's count.
  ///
  /// Safety: any eight bits are a `UInt8`, and the call checks the bounds.
  subscript(offset: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
}
