/// Skipping values that are not needed.
extension TextScanner {
  /// Moves after the value at `at`, which is validated as by the parser.
  ///
  /// - Parameter depthLimit: The maximum nesting depth of containers in the value.
  /// - Complexity: O(*n*), where *n* is the length of the value. There is no recursion. Each open container needs one bit, and the first
  ///   64 need no allocation.
  mutating func skipValue(depthLimit: Int) throws(ParseFailure) {
    var open = OpenContainers()
    var byte = bytes[at]
    while true {
      // A value begins at `at` with `byte`.
      switch byte {
      case 0x22: _ = try scanString()
      case 0x7B, 0x5B:
        guard open.count < depthLimit else { throw failure(.tooDeep(limit: depthLimit)) }
        let isObject = byte == 0x7B
        open.push(isObject: isObject)
        at &+= 1
        byte = skipWhitespace()
        // An empty one is closed below, as if after a value.
        if byte != (isObject ? 0x7D : 0x5D) {
          if isObject {
            _ = try scanKey(byte)
            byte = skipWhitespace()
          }
          continue
        }
      case 0x74: try scanTrue()
      case 0x66: try scanFalse()
      case 0x6E: try scanNull()
      default:
        guard byte == 0x2D || byte &- 0x30 <= 9 else { throw unexpected("a value") }
        var number = try scanInteger()
        if isAtFraction { try scanFraction(of: &number) }
      }

      // After a value: the next member, or the ends of one or more containers.
      while true {
        guard open.count > 0 else { return }
        let isObject = open.isInnermostObject
        byte = skipWhitespace()
        if byte == 0x2C {
          at &+= 1
          byte = skipWhitespace()
          if isObject {
            _ = try scanKey(byte)
            byte = skipWhitespace()
          }
          break
        }
        guard byte == (isObject ? 0x7D : 0x5D) else { throw unexpected(isObject ? "',' or '}'" : "',' or ']'") }
        at &+= 1
        open.pop()
      }
    }
  }
}

/// A stack of bits, one for each open container, which is set for an object.
private struct OpenContainers {
  private(set) var count = 0
  /// The bits of the innermost containers, up to 64. The lowest bit is that of the innermost one.
  private var innermost: UInt64 = 0
  /// The bits of the other containers, 64 in each word.
  private var others: [UInt64] = []

  var isInnermostObject: Bool { innermost & 1 == 1 }

  mutating func push(isObject: Bool) {
    if count & 63 == 0, count > 0 { others.append(innermost) }
    innermost = innermost &<< 1 | (isObject ? 1 : 0)
    count &+= 1
  }

  mutating func pop() {
    innermost &>>= 1
    count &-= 1
    if count & 63 == 0, let word = others.popLast() { innermost = word }
  }
}
