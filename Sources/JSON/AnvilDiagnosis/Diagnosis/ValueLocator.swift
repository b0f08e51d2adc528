internal import AnvilBase
internal import AnvilJSON

/// Finds values in a text by their paths, and paths by their offsets.
///
/// The locator remembers the containers on the last path. Requests in the order of the document therefore read the document only once.
package struct ValueLocator {
  struct LocatedValue {
    /// The range of the value's bytes in the text.
    var range: Range<Int>
    /// The first token of the value.
    var token: Token
  }

  private struct Child {
    var key: Token?
    var value: Token
  }

  /// A container on the path to a value, and how far it has been read.
  private struct Level {
    let container: Token
    /// The step from this container to the next level.
    var step: JSON.Step?
    /// The last requested element, and the offset at which it begins.
    var element: (index: Int, offset: Int)
    /// The first tokens of the values of the members read so far. If a key is repeated, its first member counts.
    var members: [ScalarKey: Token] = [:]
    /// The value of the last member read.
    var lastValue: Token?

    init(_ container: Token) {
      self.container = container
      element = (0, container.range.upperBound)
    }
  }

  let text: SourceText
  var lines: LineFinder
  /// The containers on the last requested path, outermost first.
  private var pathLevels: [Level] = []
  /// The end offsets of requested containers, by the offsets at which they begin.
  private var ends: [Int: Int] = [:]

  package init(_ text: SourceText) {
    self.text = text
    lines = LineFinder(text)
  }

  /// Returns the value at the end of `steps`, or at the last step that can be resolved.
  ///
  /// - Returns: the value's range and token, and the number of steps resolved; `nil` for a text without a value.
  mutating func value(at steps: [JSON.Step]) -> (value: LocatedValue, depth: Int)? {
    guard let (token, depth) = beginning(at: steps) else { return nil }
    let start = token.range.lowerBound
    let end = ends[start] ?? end(of: token)
    // Many things may be missing from the same container.
    if case .open = token.kind { ends[start] = end }
    return (LocatedValue(range: start..<end, token: token), depth)
  }

  /// Returns the first token of the value at the end of `steps`, or at the last step that can be resolved.
  mutating func beginning(at steps: [JSON.Step]) -> (token: Token, depth: Int)? {
    guard var token = pathLevels.first?.container ?? rootToken else { return nil }
    var depth = 0
    // Reuses the levels that this path shares with the previous one.
    while depth < steps.count, depth + 1 < pathLevels.count, pathLevels[depth].step == steps[depth] {
      depth += 1
      token = pathLevels[depth].container
    }
    while depth < steps.count, case .open = token.kind {
      if depth == pathLevels.count { pathLevels.append(Level(token)) }
      pathLevels.removeSubrange((depth + 1)...)
      pathLevels[depth].step = nil
      guard let next = child(steps[depth], ofLevel: depth) else { break }
      pathLevels[depth].step = steps[depth]
      token = next
      depth += 1
      if case .open = token.kind { pathLevels.append(Level(token)) }
    }
    return (token, depth)
  }

  /// The first token of the outermost value. If the text consists of members without enclosing braces, an empty token in place of the
  /// opening brace.
  private var rootToken: Token? {
    if text.isMembers { return Token(kind: .open(isObject: true), range: text.start..<text.start) }
    var scanner = text.scanner(at: text.start)
    return scanner.nextToken()
  }

  private mutating func child(_ step: JSON.Step, ofLevel depth: Int) -> Token? {
    switch (pathLevels[depth].container.kind, step) {
    case (.open(isObject: true), .key(let key)): member(ScalarKey(key), ofLevel: depth)
    case (.open(isObject: false), .index(let wanted)): element(wanted, ofLevel: depth)
    default: nil
    }
  }

  private mutating func member(_ key: ScalarKey, ofLevel depth: Int) -> Token? {
    if let known = pathLevels[depth].members[key] { return known }
    // Moved out of the array: a copy would cost as much as reading all members again.
    var members: [ScalarKey: Token] = [:]
    swap(&members, &pathLevels[depth].members)
    var lastValue = pathLevels[depth].lastValue
    var found: Token?
    let start = lastValue.map { end(of: $0) } ?? pathLevels[depth].container.range.upperBound
    forEachChild(from: start, isObject: true) { child in
      lastValue = child.value
      guard let token = child.key else { return true }
      let name = ScalarKey(text.string(token))
      if members[name] == nil { members[name] = child.value }
      if name == key { found = child.value }
      return found == nil
    }
    swap(&members, &pathLevels[depth].members)
    pathLevels[depth].lastValue = lastValue
    return found
  }

  private mutating func element(_ wanted: Int, ofLevel depth: Int) -> Token? {
    guard wanted >= 0 else { return nil }
    let level = pathLevels[depth]
    var (index, offset) = level.element.index <= wanted ? level.element : (0, level.container.range.upperBound)
    var found: Token?
    forEachChild(from: offset, isObject: false) { child in
      (found, offset) = (index == wanted ? child.value : nil, child.value.range.lowerBound)
      if found == nil { index += 1 }
      return found == nil
    }
    if found != nil { pathLevels[depth].element = (wanted, offset) }
    return found
  }

  /// Returns the keys of the object that begins with `container`, unescaped and in order, and their total number. At most `limit`
  /// keys are returned.
  @inline(never)
  func keys(of container: Token, limit: Int) -> (keys: [String], count: Int) {
    var keys: [String] = []
    var count = 0
    forEachChild(of: container) { child in
      guard let key = child.key else { return true }
      if count < limit { keys.append(text.string(key)) }
      count += 1
      return true
    }
    return (keys, count)
  }

  /// Returns at most `limit` members of the object that begins with `container`, with the first token of each value. Returns an empty array
  /// for any other value.
  @inline(never)
  func members(of container: Token, limit: Int) -> [(key: String, value: Token)] {
    guard case .open(isObject: true) = container.kind else { return [] }
    var members: [(String, Token)] = []
    forEachChild(of: container) { child in
      if let key = child.key { members.append((text.string(key), child.value)) }
      return members.count < limit
    }
    return members
  }

  func count(of container: Token) -> Int {
    var count = 0
    forEachChild(of: container) { _ in
      count += 1
      return true
    }
    return count
  }

  /// Returns the first token of the first element of the array that begins with `container`.
  func firstElement(of container: Token) -> Token? {
    var first: Token?
    forEachChild(of: container) { child in
      first = child.value
      return false
    }
    return first
  }

  private func forEachChild(of container: Token, _ body: (Child) -> Bool) {
    guard case .open(let isObject) = container.kind else { return }
    forEachChild(from: container.range.upperBound, isObject: isObject, body)
  }

  /// Calls `body` with each child of a container from `offset` on. Stops when `body` returns false.
  private func forEachChild(from offset: Int, isObject: Bool, _ body: (Child) -> Bool) {
    var scanner = text.scanner(at: offset)
    while let token = scanner.nextToken() {
      switch token.kind {
      case .close: return
      case .comma, .comment, .colon: continue
      case .open, .string, .word: break
      }
      var child = Child(key: nil, value: token)
      if isObject {
        guard let colon = scanner.nextToken(), colon.kind == .colon, let value = scanner.nextToken() else { return }
        child = Child(key: token, value: value)
      }
      guard body(child) else { return }
      scanner = text.scanner(at: end(of: child.value))
    }
  }

  /// Returns the end offset of the value that begins with `token`.
  @inline(never)
  func end(of token: Token) -> Int {
    guard case .open = token.kind else { return token.range.upperBound }
    var offset = token.range.upperBound
    var depth = 1
    // Byte by byte where no string or comment begins, because most of the skipped text consists of containers.
    while offset < text.bytes.count {
      switch text.bytes[offset] {
      case .openBrace, .openBracket: depth += 1
      case .closeBrace, .closeBracket: depth -= 1
      case .quote, .apostrophe, .slash:
        var scanner = text.scanner(at: offset)
        // A word may contain a slash.
        offset = max(offset + 1, scanner.next()?.range.upperBound ?? offset)
        continue
      default: break
      }
      offset += 1
      if depth == 0 { return offset }
    }
    return offset
  }

  /// Returns the path to the value that contains `offset`, as far as the text before it is JSON.
  func steps(to offset: Int) -> [JSON.Step] { enclosing(offset).steps }

  /// Returns the path to `offset`, and the innermost container that is open there.
  func enclosing(_ offset: Int) -> (steps: [JSON.Step], container: Token?) {
    /// An open container, and the scanner's position in it.
    struct Level {
      var container: Token
      var index = 0
      var key: Token?
      var isPastColon = false

      var step: ((SourceText) -> JSON.Step)? {
        if case .open(isObject: false) = container.kind { return { [index] _ in .index(index) } }
        guard isPastColon, let key else { return nil }
        return { .key($0.string(key)) }
      }
    }
    var levels: [Level] = []
    if text.isMembers, let root = rootToken { levels.append(Level(container: root)) }
    var scanner = text.scanner(at: text.start)
    while let token = scanner.next(), token.range.lowerBound < offset {
      switch token.kind {
      case .open where token.range.lowerBound < offset: levels.append(Level(container: token))
      case .close where !levels.isEmpty: levels.removeLast()
      case .colon where !levels.isEmpty: levels[levels.count - 1].isPastColon = true
      case .comma where !levels.isEmpty:
        levels[levels.count - 1].index += 1
        levels[levels.count - 1].isPastColon = false
        levels[levels.count - 1].key = nil
      case .string, .word:
        if let last = levels.indices.last, !levels[last].isPastColon { levels[last].key = token }
      default: break
      }
    }
    return (levels.compactMap { $0.step?(text) }, levels.last?.container)
  }
}
