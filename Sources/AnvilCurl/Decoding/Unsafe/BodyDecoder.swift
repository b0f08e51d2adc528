internal import AnvilClient

/// Undoes all content codings of a body, with limits on what comes of it.
final class BodyDecoder {
  private final class Stage {
    let decoder: any ContentDecoder
    var input: [UInt8] = []
    var position = 0
    /// Whether the last output was filled: there may be more without more input.
    var mayHaveMore = false
    /// How many bytes have come out of it.
    var count = 0

    init(_ decoder: any ContentDecoder) {
      self.decoder = decoder
    }
  }

  /// The most codings that a body may have. Each can make little of much: a chain of them is no honest response.
  static let codingLimit = 5
  /// How much is between two codings at a time.
  private static let stepSize = 16 << 10
  /// From how many bytes on the ratio counts.
  private static let ratioStart = 1 << 20

  /// The last coding that was applied comes first.
  private let stages: [Stage]
  private let limits: CurlSession.Configuration.DecompressionLimits
  private var receivedCount = 0
  private var failure: TransportError?

  /// What undoes `codings`, given in the order in which they were applied; `nil` when one of them cannot be undone here.
  init?(_ codings: [String], limits: CurlSession.Configuration.DecompressionLimits) {
    var stages: [Stage] = []
    for name in codings.reversed() {
      guard let decoder = ContentCoding(name: name)?.makeDecoder() else { return nil }
      stages.append(Stage(decoder))
    }
    self.stages = stages
    self.limits = limits
  }

  /// Takes more of what came.
  func append(_ bytes: RawSpan) {
    guard let first = stages.first else { return }
    receivedCount += bytes.byteCount
    if first.position > 0 {
      first.input.removeFirst(first.position)
      first.position = 0
    }
    first.input.append(bytes)
  }

  /// The next decoded bytes, at the start of `output`; 0 when there are none without more input.
  ///
  /// - Throws: `malformedResponse` for what is not in its coding, `responseTooLarge` beyond the limits.
  func read(into output: UnsafeMutableRawBufferPointer) throws(TransportError) -> Int {
    let count: Int
    do throws(MalformedContent) {
      count = try unsafe read(stages.count - 1, into: output)
    } catch {
      throw failure ?? TransportError(code: .malformedResponse, phase: .body, reason: error.reason)
    }
    return count
  }

  /// Notes that so much came out of a stage; each has to keep within the limits, as what comes of it is work for the next.
  private func note(_ count: Int, from stage: Stage) throws(MalformedContent) {
    stage.count += count
    let (allowed, overflows) = receivedCount.multipliedReportingOverflow(by: max(1, limits.ratio))
    if stage.count > limits.size {
      failure = TransportError(
        code: .responseTooLarge, phase: .body, reason: "decompressed to more than \(limits.size) bytes")
    } else if stage.count > Self.ratioStart, !overflows, stage.count > allowed {
      failure = TransportError(
        code: .responseTooLarge, phase: .body, reason: "decompressed to more than \(limits.ratio) times what came")
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
    let decoder = stage.decoder
    let position = stage.position
    // Safety: the decoder reads within the slice and writes within the output.
    let result = unsafe stage.input.withUnsafeBytes {
      input -> Result<(consumed: Int, produced: Int), MalformedContent> in
      do throws(MalformedContent) {
        return .success(
          try unsafe decoder.decode(UnsafeRawBufferPointer(rebasing: input[position...]), into: output))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Whether the stage before has given this one more.
  private func fetch(for stage: Stage, from index: Int) throws(MalformedContent) -> Bool {
    var step = [UInt8](repeating: 0, count: Self.stepSize)
    let result = unsafe step.withUnsafeMutableBytes { room -> Result<Int, MalformedContent> in
      do throws(MalformedContent) {
        return .success(try unsafe read(index, into: room))
      } catch {
        return .failure(error)
      }
    }
    let count = try result.get()
    guard count > 0 else { return false }
    stage.input.removeFirst(stage.position)
    stage.position = 0
    stage.input.append(contentsOf: step.prefix(count))
    return true
  }

  /// Whether the body may end here. One without a byte stands for one without content.
  var isAtEnd: Bool {
    receivedCount == 0 || stages.allSatisfy { $0.decoder.isAtEnd && $0.position == $0.input.count }
  }
}
