/// The slots of values. A slot takes exactly one value: the root, a member or an element.
extension JSON.Builder {
  /// The state before a slot was begun, used to continue after it or to return to it after an error.
  @usableFromInline
  struct ValueSlot {
    fileprivate let state: State
    /// The state of the slot around it.
    fileprivate var outerState: State
    fileprivate let depth: Int
    fileprivate let outerSteps: Int
    fileprivate let steps: Int
    fileprivate let checkpoint: DocumentBuilder.Checkpoint
    /// True if no new slot was begun, so that the value is written into the current one.
    fileprivate var isSame = false
  }

  private var slot: ValueSlot {
    ValueSlot(
      state: state, outerState: state, depth: depth, outerSteps: outerSteps, steps: steps.count,
      checkpoint: document.checkpoint)
  }

  /// Begins writing into the current slot.
  @usableFromInline
  mutating func beginWhole() -> ValueSlot {
    closeSteps(behind: outerSteps)
    var slot = slot
    slot.isSame = true
    return slot
  }

  /// Begins the slot at `path`.
  @usableFromInline
  mutating func beginValue(at path: JSON.Path) throws -> ValueSlot {
    // The common case: a single key, and no container to close.
    guard steps.count == outerSteps else { return try beginValue(behind: path) }
    var slot = slot
    switch path.storage {
    case .literal(let key):
      try openContainer(.object, at: path)
      key.withUTF8Buffer { buffer in
        // Safety: the buffer is used in the call only.
        unsafe document.appendKey(utf8: buffer.span)
      }
    case .other(let steps):
      guard case .one(.key(let key)) = steps.storage else { return try beginValue(behind: path) }
      try openContainer(.object, at: path)
      document.appendKey(key)
    }
    descend(from: &slot)
    return slot
  }

  private mutating func beginValue(behind path: JSON.Path) throws -> ValueSlot {
    let path = path.steps
    let shared = zip(steps[outerSteps...], path.dropLast()).prefix { $0 == $1 }.count
    closeSteps(behind: outerSteps + shared)
    var slot = slot
    guard let last = path.last else {
      slot.isSame = true
      return slot
    }
    do {
      try openContainers(around: path, from: shared)
      try enter(last, toContainer: false)
    } catch {
      throw failure(error, in: slot, at: JSON.Path(steps: path))
    }
    descend(from: &slot)
    return slot
  }

  /// Begins the slot of the next element.
  @usableFromInline
  mutating func beginElement() throws -> ValueSlot {
    closeSteps(behind: outerSteps)
    var slot = slot
    try openContainer(.array)
    descend(from: &slot)
    return slot
  }

  /// Opens the object around a value at `path` that is left out, so that the object is written even without members.
  @usableFromInline
  mutating func beginAbsentValue(at path: JSON.Path) throws {
    guard state == .nothing, path.steps.first?.container == .object else { return }
    try openContainer(.object)
  }

  /// Opens the containers around `path`, so that they are written even without members.
  package mutating func openContainers(around path: JSON.Path) throws {
    let path = path.steps
    let shared = zip(steps[outerSteps...], path.dropLast()).prefix { $0 == $1 }.count
    closeSteps(behind: outerSteps + shared)
    let slot = slot
    do {
      try openContainers(around: path, from: shared)
    } catch {
      throw failure(error, in: slot, at: JSON.Path(steps: path))
    }
  }

  /// Opens the containers around `path`, except for the first `shared` ones, which are already open.
  private mutating func openContainers(around path: [JSON.Step], from shared: Int) throws {
    guard let first = path.first else { return }
    if shared == 0 { try openContainer(first.container) }
    for number in shared..<(path.count - 1) {
      try enter(path[number], toContainer: true)
      try begin(path[number + 1].container)
      steps.append(path[number])
    }
  }

  private mutating func descend(from slot: inout ValueSlot) {
    slot.outerState = state
    state = .nothing
    depth = document.depth
    outerSteps = steps.count
  }

  /// Ends the slot that was begun with `slot`.
  @usableFromInline
  mutating func end(_ slot: ValueSlot) {
    if slot.isSame { return }
    closeSlot()
    state = slot.outerState
    depth = slot.depth
    outerSteps = slot.outerSteps
  }

  /// Closes everything that is open in the innermost slot.
  private mutating func closeSlot() {
    // A slot without a value becomes an empty object.
    if state == .nothing { document.beginObject() }
    while document.depth > depth { document.endContainer() }
    steps.removeLast(steps.count - outerSteps)
  }

  /// Returns the document with everything that was written. All slots must have been ended.
  consuming func finish() -> DocumentBuilder {
    closeSlot()
    return document
  }
}

// MARK: - Containers

extension JSON.Builder {
  /// Ensures that the slot contains a container of this kind: opens it if the slot is empty, and throws an error if the slot has another
  /// value.
  mutating func openContainer(_ kind: State) throws {
    switch state {
    case kind: return
    case .nothing:
      try begin(kind)
      state = kind
    case .complete: throw JSONEncodingError(.severalValues)
    case .array, .object: throw JSONEncodingError(.misplacedStep)
    }
  }

  @inline(__always)
  private mutating func openContainer(_ kind: State, at path: JSON.Path) throws {
    if state == kind { return }
    do {
      try openContainer(kind)
    } catch {
      throw failure(error, in: slot, at: path)
    }
  }

  private mutating func begin(_ kind: State) throws {
    guard document.depth < Self.depthLimit else { throw JSONEncodingError(.tooDeep) }
    if kind == .array { document.beginArray() } else { document.beginObject() }
  }

  /// Moves to the member or element `step` of the innermost container.
  private mutating func enter(_ step: JSON.Step, toContainer: Bool) throws {
    guard document.isInObject == (step.container == .object) else { throw JSONEncodingError(.misplacedStep) }
    switch step {
    case .key(let key):
      if toContainer, document.hasMember(key) { throw JSONEncodingError(.closedContainer) }
      document.appendKey(key)
    case .index(let index):
      let count = document.countInContainer
      guard index == count else {
        throw JSONEncodingError(toContainer && (0..<count).contains(index) ? .closedContainer : .misplacedStep)
      }
    }
  }

  /// Closes the containers that paths have opened, except for the first `count`.
  private mutating func closeSteps(behind count: Int) {
    while steps.count > count {
      document.endContainer()
      steps.removeLast()
    }
  }

  /// Claims the slot for a scalar.
  @inline(__always)
  mutating func claim() throws {
    guard state == .nothing else { throw JSONEncodingError(.severalValues) }
    state = .complete
  }
}

// MARK: - Errors

extension JSON.Builder {
  /// Removes everything written since `slot`, and returns `error` with `path` prepended to its path.
  @usableFromInline @inline(never)
  mutating func failure(_ error: any Error, in slot: ValueSlot, at path: JSON.Path) -> JSONEncodingError {
    document.rewind(to: slot.checkpoint)
    steps.removeLast(steps.count - slot.steps)
    state = slot.state
    depth = slot.depth
    outerSteps = slot.outerSteps
    var error = error as? JSONEncodingError ?? JSONEncodingError(wrapping: error)
    error.path = path.appending(error.path)
    return error
  }

  /// Removes everything written since `slot`, which is that of an element. Returns `error` with the index of the element prepended to its
  /// path.
  @usableFromInline @inline(never)
  mutating func failure(_ error: any Error, inElement slot: ValueSlot) -> JSONEncodingError {
    let failure = failure(error, in: slot, at: JSON.Path())
    var located = failure
    located.path = JSON.Path(state == .array ? document.countInContainer : 0).appending(failure.path)
    return located
  }
}

extension JSON.Step {
  /// The kind of container into which the step leads: an object for a key, an array for an index.
  fileprivate var container: JSON.Builder.State {
    switch self {
    case .key: .object
    case .index: .array
    }
  }
}
