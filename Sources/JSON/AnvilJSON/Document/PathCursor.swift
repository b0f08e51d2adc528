internal import AnvilBase

/// Finds the paths to values of one document. A search in a container begins where the last one in it ended, so that finding thousands of
/// values in the order of the text takes one pass over it. If it has to go back, the places of all members are found, once.
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
  /// `nil` until something is remembered, because most cursors are never used.
  private var memory: Memory?

  private final class Memory {
    /// The last member of each other container on an earlier path, by the container.
    var earlier: [Int: Member] = [:]
    /// The starts of all members, in containers in which a search went back.
    var starts: [Int: [Int]] = [:]
    /// Long keys that were requested, by the index at which they begin.
    var longKeys: [Int: String] = [:]
  }

  private mutating func remember() -> Memory {
    if let memory { return memory }
    let new = Memory()
    memory = new
    return new
  }

  /// Returns the members of the containers from the one at `root` down to the value at `index`.
  ///
  /// - Complexity: O(*n*), *n* the number of values before it in the containers around it, except those before members on earlier paths. If
  ///   all paths are requested, in any order, O(log *n*) on average.
  mutating func members(to index: Int, from root: Int, in document: Document) -> [Member] {
    var depth = 0
    var container = root
    while container < index, let member = member(towards: index, in: container, at: depth, of: document) {
      if depth == latest.count {
        latest.append(member)
      } else {
        if latest[depth].container != container { keep(latest[depth]) }
        latest[depth] = member
      }
      container = member.value
      depth += 1
    }
    return Array(latest[..<depth])
  }

  /// Returns the key of `member`, which is a member of an object. Long keys are kept, so that all paths share their memory.
  mutating func key(of member: Member, in document: Document) -> String {
    guard document.stringLength(at: member.start) > 64 else { return document.string(at: member.start) }
    if let key = memory?.longKeys[member.start] { return key }
    let key = document.string(at: member.start)
    remember().longKeys[member.start] = key
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

  private mutating func member(
    towards index: Int, in container: Int, at depth: Int, of document: Document
  ) -> Member? {
    guard document.tape[container].isContainer else { return nil }
    let (start, first) = place(before: index, in: container, at: depth, of: document)
    for (offset, member) in document.members(ofContainerAt: container, from: start).enumerated()
    where index < document.index(after: member.value) {
      return Member(container: container, start: member.key, position: first + offset, value: member.value)
    }
    return nil
  }

  /// Returns the start and the position of a member that is known not to be after `index`.
  private mutating func place(
    before index: Int, in container: Int, at depth: Int, of document: Document
  ) -> (start: Int, position: Int) {
    let latest =
      depth < latest.count && latest[depth].container == container ? latest[depth] : memory?.earlier[container]
    guard let latest else { return (container + 1, 0) }
    if latest.start <= index { return (latest.start, latest.position) }
    guard latest.position > Self.fewMembers else { return (container + 1, 0) }
    let starts = memory?.starts[container] ?? self.starts(of: container, in: document)
    let position = starts.firstIndex(after: index) - 1
    return (starts[position], position)
  }

  private mutating func starts(of container: Int, in document: Document) -> [Int] {
    let found = document.members(ofContainerAt: container).map(\.key)
    let memory = remember()
    if memory.starts.count == Self.keptContainers { memory.starts = [:] }
    memory.starts[container] = found
    return found
  }

  private mutating func keep(_ member: Member) {
    guard member.position > Self.fewMembers else { return }
    let memory = remember()
    if memory.earlier.count == Self.keptContainers { memory.earlier = [:] }
    memory.earlier[member.container] = member
  }

  /// The number of members that are passed again rather than remembered.
  private static var fewMembers: Int { 32 }
  /// The number of containers that are remembered. Paths through more of them in turn are rare.
  private static var keptContainers: Int { 1024 }
}
