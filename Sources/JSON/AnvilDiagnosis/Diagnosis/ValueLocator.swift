internal import AnvilBase
internal import AnvilJSON

/// Finds values in a text by their paths, and paths by their offsets.
///
/// The locator remembers the containers on the last path. Requests in the order of the document therefore read the document only once.
struct ValueLocator {
  struct LocatedValue {
    /// The range of the value's bytes in the text.
    var range: Range<Int>
    /// The first token of the value.
    var token: Token
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

  init(_ text: SourceText) {
    self.text = text
    lines = LineFinder(text)
  }

  /// Returns the value at the end of `steps`, or at the last step that can be resolved.
  ///
  /// - Returns: the value's range and token, and the number of steps resolved; `nil` for a text without a value.
  mutating func value(at steps: [JSON.Step]) -> (value: LocatedValue, depth: Int)? {
    guard let (token, depth) = beginning(at: steps) else { return nil }
    let start = token.range.lowerBound
    let end = ends[start] ?? self.end(of: token)
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

  /// The first token of the outermost value.
  private var rootToken: Token? {
    if let root = text.rootOfMembers { return root }
    var tokens = text.bytes.tokens(from: text.start)
    return tokens.nextToken()
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
    var level = Level(pathLevels[depth].container)
    swap(&level, &pathLevels[depth])
    defer { swap(&level, &pathLevels[depth]) }
    var tokens = text.bytes.tokens(from: level.container.range.upperBound)
    if let last = level.lastValue { tokens.skip(last) }
    while let child = tokens.nextChild(ofObject: true), let token = child.key {
      level.lastValue = child.value
      let name = ScalarKey(text.string(token))
      if level.members[name] == nil { level.members[name] = child.value }
      if name == key { return child.value }
      tokens.skip(child.value)
    }
    return nil
  }

  private mutating func element(_ wanted: Int, ofLevel depth: Int) -> Token? {
    guard wanted >= 0 else { return nil }
    let level = pathLevels[depth]
    let (first, offset) = level.element.index <= wanted ? level.element : (0, level.container.range.upperBound)
    var tokens = text.bytes.tokens(from: offset)
    var index = first
    while let child = tokens.nextChild(ofObject: false) {
      if index == wanted {
        pathLevels[depth].element = (wanted, child.value.range.lowerBound)
        return child.value
      }
      tokens.skip(child.value)
      index += 1
    }
    return nil
  }

  /// Returns the keys of the object that begins with `container`, unescaped and in order, and their total number. At most `limit`
  /// keys are returned.
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
  func members(of container: Token, limit: Int = 200) -> [(key: String, value: Token)] {
    guard case .open(isObject: true) = container.kind else { return [] }
    var members: [(String, Token)] = []
    forEachChild(of: container) { child in
      if let key = child.key { members.append((text.string(key), child.value)) }
      return members.count < limit
    }
    return members
  }

  /// Returns the first token of the first value in the container that begins with `container`; `nil` if the container is empty.
  func firstChild(of container: Token) -> Token? {
    var first: Token?
    forEachChild(of: container) { child in
      first = child.value
      return false
    }
    return first
  }

  /// Calls `body` with each child of a container. Stops when `body` returns false.
  private func forEachChild(of container: Token, _ body: (TokenScanner.Child) -> Bool) {
    guard case .open(let isObject) = container.kind else { return }
    var tokens = text.bytes.tokens(from: container.range.upperBound)
    while let child = tokens.nextChild(ofObject: isObject), body(child) { tokens.skip(child.value) }
  }

  /// Returns the end offset of the value that begins with `token`.
  func end(of token: Token) -> Int {
    var tokens = text.bytes.tokens()
    tokens.skip(token)
    return tokens.offset
  }

  /// Returns the path to the value that contains `offset`, as far as the text before it is JSON.
  func steps(to offset: Int) -> [JSON.Step] { enclosing(offset).steps }

  /// Returns the path to `offset`, and the innermost container that is open there.
  func enclosing(_ offset: Int) -> (steps: [JSON.Step], container: Token?) {
    var tokens = text.bytes.tokens(from: text.start)
    var path = TokenPath(in: text.rootOfMembers)
    path.read(&tokens, upTo: offset)
    return (path.steps(in: tokens), path.containers.last?.token)
  }
}

extension SourceText {
  /// If the text consists of members without enclosing braces, an empty token in place of the opening brace.
  var rootOfMembers: Token? { isMembers ? Token(kind: .open(isObject: true), range: start..<start) : nil }
}
