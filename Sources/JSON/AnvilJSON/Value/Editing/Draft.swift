/// A value during editing.
///
/// Parts that are not changed remain views into their document. Only the containers that contain a change are opened, that is, converted to
/// nodes. Nodes refer to each other by number, so the nesting depth is not limited. If several members of an opened object share a key,
/// only the first is kept.
struct Draft {
  /// The number of a node; the root's is 0.
  typealias Node = Int

  private enum Content {
    case value(JSON)
    case array([Node])
    case object(DraftObject)
  }

  private var contents: [Content]
  static let root: Node = 0

  init(_ json: JSON) {
    contents = [.value(json)]
  }

  /// Creates a node that is not part of any container yet.
  @inline(never)
  mutating func makeNode(_ value: JSON = .null) -> Node {
    contents.append(.value(value))
    return contents.count - 1
  }

  mutating func setContent(of node: Node, from source: Node) {
    contents[node] = contents[source]
  }
}

extension Draft {
  /// The target of a pointer: a node, or a value within a node that has not been opened.
  private enum Target {
    case node(Node)
    case value(JSON)
  }

  private func target(at pointer: JSON.Pointer) throws(JSON.PatchError.Code) -> Target {
    var node = Self.root
    for (position, token) in pointer.tokens.enumerated() {
      switch contents[node] {
      case .value(let json):
        guard let value = json.value(at: pointer.tokens[position...]) else {
          throw .noValue(at: pointer)
        }
        return .value(value)
      case .array(let elements):
        guard let index = JSON.Pointer.index(token), index < elements.count else { throw .noValue(at: pointer) }
        node = elements[index]
      case .object(let members):
        guard let member = members[ScalarKey(token)] else { throw .noValue(at: pointer) }
        node = member
      }
    }
    return .node(node)
  }

  func requireValue(at pointer: JSON.Pointer) throws(JSON.PatchError.Code) {
    _ = try target(at: pointer)
  }

  func value(at pointer: JSON.Pointer, sizeLimit: Int) throws(JSON.PatchError.Code) -> JSON {
    switch try target(at: pointer) {
    case .value(let json): return json
    case .node(let node): return try build(node, sizeLimit: sizeLimit)
    }
  }

  /// Adds `node` at `pointer`: as the whole value, as a member that replaces one with the same key, or before an element. Source:
  /// RFC 6902 §4.1.
  mutating func add(_ node: Node, at pointer: JSON.Pointer) throws(JSON.PatchError.Code) {
    guard let token = pointer.tokens.last else { return setContent(of: Self.root, from: node) }
    let parent = try openParent(of: pointer)
    // Taken out during the change, so that the arrays are not copied.
    switch take(parent) {
    case .array(var elements):
      let index = token == "-" ? elements.count : JSON.Pointer.index(token)
      guard let index else { throw .invalidIndex(at: pointer) }
      guard index <= elements.count else { throw .indexOutOfRange(at: pointer, count: elements.count) }
      elements.insert(node, at: index)
      contents[parent] = .array(elements)
    case .object(var members):
      members[ScalarKey(token)] = node
      contents[parent] = .object(members)
    case .value: throw .noContainer(above: pointer)
    }
  }

  /// Removes the value at `pointer` from the draft and returns it. Source: RFC 6902 §4.2.
  mutating func remove(at pointer: JSON.Pointer) throws(JSON.PatchError.Code) -> Node {
    guard let token = pointer.tokens.last else { throw .rootRemoval }
    let parent = try openParent(of: pointer)
    switch take(parent) {
    case .array(var elements):
      let index = try index(token, of: elements.count, at: pointer)
      let node = elements.remove(at: index)
      contents[parent] = .array(elements)
      return node
    case .object(var members):
      guard let node = members[ScalarKey(token)] else { throw .noValue(at: pointer) }
      members[ScalarKey(token)] = nil
      contents[parent] = .object(members)
      return node
    case .value: throw .noContainer(above: pointer)
    }
  }

  /// Replaces the value at `pointer` with `node`. Source: RFC 6902 §4.3.
  mutating func replace(at pointer: JSON.Pointer, with node: Node) throws(JSON.PatchError.Code) {
    guard let token = pointer.tokens.last else { return setContent(of: Self.root, from: node) }
    let parent = try openParent(of: pointer)
    switch take(parent) {
    case .array(var elements):
      elements[try index(token, of: elements.count, at: pointer)] = node
      contents[parent] = .array(elements)
    case .object(var members):
      guard members[ScalarKey(token)] != nil else { throw .noValue(at: pointer) }
      members[ScalarKey(token)] = node
      contents[parent] = .object(members)
    case .value: throw .noContainer(above: pointer)
    }
  }

  private func index(
    _ token: String, of count: Int, at pointer: JSON.Pointer
  ) throws(JSON.PatchError.Code) -> Int {
    if token == "-" { throw .noValue(at: pointer) }
    guard let index = JSON.Pointer.index(token) else { throw .invalidIndex(at: pointer) }
    guard index < count else { throw .indexOutOfRange(at: pointer, count: count) }
    return index
  }

  /// Opens the container that contains the target of `pointer`, and all containers around it. Returns the container.
  private mutating func openParent(of pointer: JSON.Pointer) throws(JSON.PatchError.Code) -> Node {
    var node = Self.root
    var tokens = pointer.tokens.dropLast()
    while true {
      open(node)
      guard let token = tokens.popFirst() else { return node }
      switch contents[node] {
      case .array(let elements):
        guard let index = JSON.Pointer.index(token), index < elements.count else {
          throw .noContainer(above: pointer)
        }
        node = elements[index]
      case .object(let members):
        guard let member = members[ScalarKey(token)] else { throw .noContainer(above: pointer) }
        node = member
      case .value: throw .noContainer(above: pointer)
      }
    }
  }

  private mutating func take(_ node: Node) -> Content {
    let content = contents[node]
    contents[node] = .array([])
    return content
  }

  /// Converts the members of a container to nodes.
  @inline(never)
  private mutating func open(_ node: Node) {
    guard case .value(let json) = contents[node] else { return }
    switch json.kind {
    case .array:
      let elements = json.elements.map { makeNode($0) }
      contents[node] = .array(elements)
    case .object:
      var object = DraftObject()
      for (key, value) in json.members where object[ScalarKey(key)] == nil {
        object[ScalarKey(key)] = makeNode(value)
      }
      contents[node] = .object(object)
    default: break
    }
  }

  /// Takes the members out of the object `node`. The caller must then call ``setObject(_:of:)``. The result is empty for a value that is
  /// not an object.
  mutating func takeObject(_ node: Node) -> DraftObject {
    open(node)
    guard case .object(let object) = take(node) else { return DraftObject() }
    return object
  }

  mutating func setObject(_ object: DraftObject, of node: Node) {
    contents[node] = .object(object)
  }

  private enum Frame {
    case array(ArraySlice<Node>)
    case object(ArraySlice<DraftObject.Slot?>)
  }

  /// Returns the value of `node` as the root of a document.
  func build(_ node: Node = root, sizeLimit: Int) throws(JSON.PatchError.Code) -> JSON {
    if case .value(let json) = contents[node], json.index == 0 { return json }
    var builder = DocumentBuilder(sizeLimit: sizeLimit)
    var frames: [Frame] = []
    begin(node, &builder, &frames)
    while let frame = frames.popLast(), !builder.isTooLarge {
      switch frame {
      case .array(var nodes):
        guard let next = nodes.popFirst() else {
          builder.endContainer()
          continue
        }
        frames.append(.array(nodes))
        begin(next, &builder, &frames)
      case .object(var slots):
        guard let slot = slots.popFirst() else {
          builder.endContainer()
          continue
        }
        frames.append(.object(slots))
        guard let slot else { continue }
        builder.appendKey(slot.key.string)
        begin(slot.node, &builder, &frames)
      }
    }
    do throws(DocumentBuilder.TooLarge) {
      return JSON(try builder.finish())
    } catch {
      throw .tooLarge(limit: error.limit)
    }
  }

  private func begin(_ node: Node, _ builder: inout DocumentBuilder, _ frames: inout [Frame]) {
    switch contents[node] {
    case .value(let json): builder.append(json)
    case .array(let nodes):
      builder.beginArray()
      frames.append(.array(nodes[...]))
    case .object(let object):
      builder.beginObject()
      frames.append(.object(object.slots[...]))
    }
  }
}

/// The members of an object in a ``Draft``, in order. Lookup by key is O(1).
struct DraftObject {
  struct Slot {
    let key: ScalarKey
    var node: Draft.Node
  }

  /// The members in order, with gaps left by removed members.
  private(set) var slots: [Slot?] = []
  private var positions: [ScalarKey: Int] = [:]

  var isEmpty: Bool { positions.isEmpty }

  /// Accesses the member with the key. A new member is appended; setting an existing one keeps its position.
  subscript(key: ScalarKey) -> Draft.Node? {
    @inline(never)
    get { positions[key].flatMap { slots[$0]?.node } }
    @inline(never)
    set {
      switch (positions[key], newValue) {
      case (let position?, let node?): slots[position] = Slot(key: key, node: node)
      case (nil, let node?):
        positions[key] = slots.count
        slots.append(Slot(key: key, node: node))
      case (let position?, nil):
        slots[position] = nil
        positions[key] = nil
        if slots.count > 16, slots.count > 2 * positions.count { closeGaps() }
      case (nil, nil): break
      }
    }
  }

  private mutating func closeGaps() {
    slots.removeAll { $0 == nil }
    for (position, slot) in slots.enumerated() { if let slot { positions[slot.key] = position } }
  }
}
