/// Finds places in a text by their paths, and paths by their places.
///
/// Remembers the containers on its way: many places of one document, asked for in their order, cost one reading of it.
package struct PlaceFinder {
  /// Where a value stands, and its key.
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

  let text: SourceText
  /// Where the element behind an array's last one that was asked for begins, by the array.
  private var elements: [Int: (index: Int, offset: Int)] = [:]
  /// The beginnings of values by the way to them.
  private var beginnings: [[JSON.Step]: Token] = [:]

  package init(_ text: SourceText) { self.text = text }

  /// The value at the end of `steps`, or of as many of them as lead somewhere.
  ///
  /// - Returns: the place, and how many steps lead to it; `nil` for a text without a value.
  mutating func place(at steps: [JSON.Step]) -> (place: Place, depth: Int)? {
    beginning(at: steps).map {
      (Place(range: $0.token.range.lowerBound..<end(of: $0.token), token: $0.token), $0.depth)
    }
  }

  /// The first token of the value at the end of `steps`, or of as many of them as lead somewhere.
  mutating func beginning(at steps: [JSON.Step]) -> (token: Token, depth: Int)? {
    guard var token = rootToken else { return nil }
    var depth = 0
    if let known = (1..<max(1, steps.count + 1)).last(where: { beginnings[Array(steps.prefix($0))] != nil }),
      let beginning = beginnings[Array(steps.prefix(known))]
    {
      (token, depth) = (beginning, known)
    }
    while depth < steps.count, let next = child(steps[depth], of: token) {
      token = next
      depth += 1
      // Only containers: values are asked for once.
      if case .open = token.kind { beginnings[Array(steps.prefix(depth))] = token }
    }
    return (token, depth)
  }

  /// The first token of the outermost value; for members without braces one that stands for the brace.
  private var rootToken: Token? {
    if text.isMembers { return Token(kind: .open(isObject: true), range: text.start..<text.start) }
    var scanner = text.scanner(at: text.start)
    return scanner.nextMeant()
  }

  private mutating func child(_ step: JSON.Step, of container: Token) -> Token? {
    switch (container.kind, step) {
    case (.open(isObject: true), .key(let key)):
      var found: Token?
      forEachChild(of: container) { child in
        guard let token = child.key, ScalarKey(text.string(token)) == ScalarKey(key) else { return true }
        found = child.value
        return false
      }
      return found
    case (.open(isObject: false), .index(let wanted)):
      guard wanted >= 0 else { return nil }
      let start = container.range.lowerBound
      var (index, offset) = elements[start].flatMap { $0.index <= wanted ? $0 : nil } ?? (0, container.range.upperBound)
      var found: Token?
      forEachChild(from: offset, isObject: false) { child in
        (found, offset) = (index == wanted ? child.value : nil, child.value.range.lowerBound)
        if found == nil { index += 1 }
        return found == nil
      }
      if found != nil { elements[start] = (wanted, offset) }
      return found
    default: return nil
    }
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

  /// The members of the object that begins with `container`, with the first token of each value.
  func members(of container: Token, limit: Int) -> [(key: String, value: Token)] {
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
