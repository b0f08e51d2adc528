/// Finds places in a text by their paths, and paths by their places.
///
/// Remembers the containers on its way: many places of one document, asked for in their order, cost one reading of it.
package struct PlaceFinder {
  /// Where a value stands, and how it begins.
  struct Place {
    /// From the first byte of the value to behind its last.
    var range: Range<Int>
    /// The first token of the value.
    var token: Token
  }

  /// One member of an object or element of an array.
  private struct Child {
    var key: Token?
    var value: Token
  }

  /// A container on the way to a place, and how far it has been read.
  private struct Level {
    let container: Token
    /// What leads on from it to the next level.
    var step: JSON.Step?
    /// The last element that was asked for, and where it begins.
    var element: (index: Int, offset: Int)
    /// The members that have been read, each the first of its key.
    var members: [ScalarKey: Token] = [:]
    /// The value of the last of them.
    var lastValue: Token?

    init(_ container: Token) {
      self.container = container
      element = (0, container.range.upperBound)
    }
  }

  let text: SourceText
  /// The lines around places.
  var lines: LineFinder
  /// The containers on the way that was asked for last, from the outermost on.
  private var trail: [Level] = []
  /// Where containers end of which the place was asked for, by where they begin.
  private var ends: [Int: Int] = [:]

  package init(_ text: SourceText) {
    self.text = text
    lines = LineFinder(text)
  }

  /// The value at the end of `steps`, or of as many of them as lead somewhere.
  ///
  /// - Returns: the place, and how many steps lead to it; `nil` for a text without a value.
  mutating func place(at steps: [JSON.Step]) -> (place: Place, depth: Int)? {
    guard let (token, depth) = beginning(at: steps) else { return nil }
    let start = token.range.lowerBound
    let end = ends[start] ?? end(of: token)
    // Of a container many things may be missing.
    if case .open = token.kind { ends[start] = end }
    return (Place(range: start..<end, token: token), depth)
  }

  /// The first token of the value at the end of `steps`, or of as many of them as lead somewhere.
  mutating func beginning(at steps: [JSON.Step]) -> (token: Token, depth: Int)? {
    guard var token = trail.first?.container ?? rootToken else { return nil }
    var depth = 0
    // As far as the last way leads there too.
    while depth < steps.count, depth + 1 < trail.count, trail[depth].step == steps[depth] {
      depth += 1
      token = trail[depth].container
    }
    while depth < steps.count, case .open = token.kind {
      if depth == trail.count { trail.append(Level(token)) }
      trail.removeSubrange((depth + 1)...)
      trail[depth].step = nil
      guard let next = child(steps[depth], ofLevel: depth) else { break }
      trail[depth].step = steps[depth]
      token = next
      depth += 1
      if case .open = token.kind { trail.append(Level(token)) }
    }
    return (token, depth)
  }

  /// The first token of the outermost value; for members without braces one that stands for the brace.
  private var rootToken: Token? {
    if text.isMembers { return Token(kind: .open(isObject: true), range: text.start..<text.start) }
    var scanner = text.scanner(at: text.start)
    return scanner.nextMeant()
  }

  private mutating func child(_ step: JSON.Step, ofLevel depth: Int) -> Token? {
    switch (trail[depth].container.kind, step) {
    case (.open(isObject: true), .key(let key)): member(ScalarKey(key), ofLevel: depth)
    case (.open(isObject: false), .index(let wanted)): element(wanted, ofLevel: depth)
    default: nil
    }
  }

  private mutating func member(_ key: ScalarKey, ofLevel depth: Int) -> Token? {
    if let known = trail[depth].members[key] { return known }
    // Taken out: a copy would cost as much as reading all of it again.
    var members: [ScalarKey: Token] = [:]
    swap(&members, &trail[depth].members)
    var lastValue = trail[depth].lastValue
    var found: Token?
    let start = lastValue.map { end(of: $0) } ?? trail[depth].container.range.upperBound
    forEachChild(from: start, isObject: true) { child in
      lastValue = child.value
      guard let token = child.key else { return true }
      let name = ScalarKey(text.string(token))
      if members[name] == nil { members[name] = child.value }
      if name == key { found = child.value }
      return found == nil
    }
    swap(&members, &trail[depth].members)
    trail[depth].lastValue = lastValue
    return found
  }

  private mutating func element(_ wanted: Int, ofLevel depth: Int) -> Token? {
    guard wanted >= 0 else { return nil }
    let level = trail[depth]
    var (index, offset) = level.element.index <= wanted ? level.element : (0, level.container.range.upperBound)
    var found: Token?
    forEachChild(from: offset, isObject: false) { child in
      (found, offset) = (index == wanted ? child.value : nil, child.value.range.lowerBound)
      if found == nil { index += 1 }
      return found == nil
    }
    if found != nil { trail[depth].element = (wanted, offset) }
    return found
  }

  /// The keys of the object that begins with `container`, unescaped, in their order, and how many there are: no more than
  /// `limit` are given.
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

  /// The members of the object that begins with `container`, with the first token of each value; none of anything else.
  func members(of container: Token, limit: Int) -> [(key: String, value: Token)] {
    guard case .open(isObject: true) = container.kind else { return [] }
    var members: [(String, Token)] = []
    forEachChild(of: container) { child in
      if let key = child.key { members.append((text.string(key), child.value)) }
      return members.count < limit
    }
    return members
  }

  /// How many members or elements the container has that begins with `container`.
  func count(of container: Token) -> Int {
    var count = 0
    forEachChild(of: container) { _ in
      count += 1
      return true
    }
    return count
  }

  /// The first token of the first element of the array that begins with `container`.
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

  /// Calls `body` with what stands in a container from `offset` on, until it says no more.
  private func forEachChild(from offset: Int, isObject: Bool, _ body: (Child) -> Bool) {
    var scanner = text.scanner(at: offset)
    while let token = scanner.nextMeant() {
      switch token.kind {
      case .close: return
      case .comma, .comment, .colon: continue
      case .open, .string, .word: break
      }
      var child = Child(key: nil, value: token)
      if isObject {
        guard let colon = scanner.nextMeant(), colon.kind == .colon, let value = scanner.nextMeant() else { return }
        child = Child(key: token, value: value)
      }
      guard body(child) else { return }
      scanner = text.scanner(at: end(of: child.value))
    }
  }

  /// Where the value ends that begins with `token`.
  func end(of token: Token) -> Int {
    guard case .open = token.kind else { return token.range.upperBound }
    var offset = token.range.upperBound
    var depth = 1
    // Byte by byte where no string or comment begins: containers are most of what is passed over.
    while offset < text.bytes.count {
      switch text.bytes[offset] {
      case 0x7B, 0x5B: depth += 1
      case 0x7D, 0x5D: depth -= 1
      case 0x22, 0x27, 0x2F:
        var scanner = text.scanner(at: offset)
        // A word may have a slash in its midst.
        offset = max(offset + 1, scanner.next()?.range.upperBound ?? offset)
        continue
      default: break
      }
      offset += 1
      if depth == 0 { return offset }
    }
    return offset
  }

  /// The way to the value in which `offset` lies, as far as the text before it is JSON.
  func steps(to offset: Int) -> [JSON.Step] { enclosing(offset).steps }

  /// The way to `offset`, and the innermost container around it that is open there.
  func enclosing(_ offset: Int) -> (steps: [JSON.Step], container: Token?) {
    /// A container that is open, and where in it the scanner is.
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
