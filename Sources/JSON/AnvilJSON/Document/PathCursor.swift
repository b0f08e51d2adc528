/// Finds the paths to values of one document. A search begins where the last one ended, so that finding thousands of values in
/// the order of the text takes one pass over it.
struct PathCursor {
  /// A member on the path: its container, the index at which it begins (its key in an object), its position, and its value.
  struct Member {
    let container: Int
    let start: Int
    let position: Int
    let value: Int
  }

  /// The members on the last path. If an earlier path was longer, the rest of its members follows.
  private var latest: [Member] = []
  /// Long keys that were requested, by the index at which they begin.
  private var longKeys: [Int: String] = [:]

  /// Returns the members of the containers from the one at `root` down to the value at `index`.
  ///
  /// - Complexity: O(*n*), *n* the number of values before it in the containers around it, except those before the members on the
  ///   last path.
  mutating func members(to index: Int, from root: Int, in document: Document) -> [Member] {
    var depth = 0
    var container = root
    while container < index, let member = member(towards: index, in: container, at: depth, of: document) {
      if depth < latest.count { latest[depth] = member } else { latest.append(member) }
      container = member.value
      depth += 1
    }
    return Array(latest[..<depth])
  }

  /// Returns the key of `member`, which is a member of an object. Long keys are kept, so that all paths share their memory.
  mutating func key(of member: Member, in document: Document) -> String {
    guard document.stringLength(at: member.start) > 64 else { return document.string(at: member.start) }
    if let key = longKeys[member.start] { return key }
    let key = document.string(at: member.start)
    longKeys[member.start] = key
    return key
  }

  /// Returns the steps from the root of the document to the value at `index`, with the keys of the text.
  ///
  /// - Complexity: The same as ``members(to:from:in:)``.
  mutating func steps(to index: Int, in document: Document) -> [JSON.Step] {
    members(to: index, from: 0, in: document).map { member in
      document.tape[member.container].is(.object) ? .key(key(of: member, in: document)) : .index(member.position)
    }
  }

  private func member(towards index: Int, in container: Int, at depth: Int, of document: Document) -> Member? {
    let word = document.tape[container]
    guard word.isContainer else { return nil }
    let isObject = word.is(.object)
    let end = container + word.span
    var next = container + 1
    var position = 0
    if depth < latest.count, case let known = latest[depth], known.container == container, known.start <= index {
      next = known.start
      position = known.position
    }
    while next < end {
      let value = isObject ? next + document.tape[next].span : next
      let after = value + document.tape[value].span
      if index < after { return Member(container: container, start: next, position: position, value: value) }
      next = after
      position += 1
    }
    return nil
  }
}
