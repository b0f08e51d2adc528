/// Finds the end of a string, an array or an object that arrives in pieces.
///
/// The scan looks only at quotation marks, backslashes and brackets, 64 bytes at once. Everything else, including whether brackets
/// match, has to be checked by a parser.
///
/// Source: G. Langdale, D. Lemire, Parsing Gigabytes of JSON per Second (2019), which finds strings by the running exclusive or of their
/// quotation marks.
struct StructureScan {
  enum Progress {
    /// The value ends before this offset.
    case ended(Int)
    case unended
    /// The bracket at this offset exceeds the depth limit.
    case tooDeep(Int)
  }

  private let isString: Bool
  /// The number of open containers.
  private var depth = 0
  /// All ones if the next byte is in a string, otherwise zero. Used only in containers.
  private var inString: UInt64 = 0
  /// The value 1 if the next byte is escaped by a backslash before it, otherwise 0.
  private var isEscaped: UInt64 = 0

  /// Creates a scan of a string that starts after its opening quotation mark, or of a container that starts at its bracket.
  init(isString: Bool) {
    self.isString = isString
  }

  mutating func advance(over bytes: borrowing RawSpan, from start: Int, depthLimit: Int) -> Progress {
    var at = start
    while at < bytes.byteCount {
      let count = min(64, bytes.byteCount &- at)
      let lanes = bytes.structureLanes(at: at)
      let quotationMarks = lanes.quotationMarks & ~escapedLanes(lanes.backslashes, count: count)
      if isString {
        if quotationMarks != 0 { return .ended(at &+ quotationMarks.trailingZeroBitCount &+ 1) }
      } else {
        let strings = Self.runningXor(quotationMarks) ^ inString
        inString = 0 &- strings &>> 63
        let progress = countBrackets(lanes.openings & ~strings, lanes.closings & ~strings, depthLimit: depthLimit)
        switch progress {
        case .unended: break
        case .ended(let end): return .ended(at &+ end)
        case .tooDeep(let offset): return .tooDeep(at &+ offset)
        }
      }
      at &+= count
    }
    return .unended
  }

  /// Counts the containers that open and close in a block. Offsets are relative to the block.
  @inline(__always)
  private mutating func countBrackets(_ openings: UInt64, _ closings: UInt64, depthLimit: Int) -> Progress {
    let deepest = depth &+ openings.nonzeroBitCount
    if closings.nonzeroBitCount < depth, deepest <= depthLimit {
      // No bracket closes the outermost container.
      depth = deepest &- closings.nonzeroBitCount
      return .unended
    }
    var brackets = openings | closings
    while brackets != 0 {
      let bracket = brackets & (0 &- brackets)
      if openings & bracket != 0 {
        guard depth < depthLimit else { return .tooDeep(bracket.trailingZeroBitCount) }
        depth &+= 1
      } else {
        depth &-= 1
        if depth == 0 { return .ended(bracket.trailingZeroBitCount &+ 1) }
      }
      brackets ^= bracket
    }
    return .unended
  }

  /// Returns the mask of a block's first `count` bytes that are escaped by a backslash.
  @inline(__always)
  private mutating func escapedLanes(_ backslashes: UInt64, count: Int) -> UInt64 {
    guard backslashes | isEscaped != 0 else { return 0 }
    var escaped = isEscaped
    var escaping: UInt64 = 0
    var others = backslashes & ~escaped
    while others != 0 {
      let backslash = others & (0 &- others)
      escaping |= backslash
      others &= ~(backslash | backslash &<< 1)
    }
    escaped |= escaping &<< 1
    isEscaped = escaping &>> UInt64(count &- 1) & 1
    return escaped
  }

  /// Returns a word in which a bit is set if the number of set bits of `bits` up to and including it is odd.
  @inline(__always)
  private static func runningXor(_ bits: UInt64) -> UInt64 {
    var bits = bits
    bits ^= bits &<< 1
    bits ^= bits &<< 2
    bits ^= bits &<< 4
    bits ^= bits &<< 8
    bits ^= bits &<< 16
    bits ^= bits &<< 32
    return bits
  }
}
