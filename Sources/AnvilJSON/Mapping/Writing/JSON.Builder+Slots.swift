/// The slots of values. A slot takes exactly one value: the root, a member or an element.
extension JSON.Builder {
  /// The state of the builder before a value was begun. It is restored after the value, and after an error in it.
  @usableFromInline
  struct ValueSlot {
    fileprivate let state: State
    /// The state of the value around it.
    fileprivate var outerState: State
    fileprivate let depth: Int
    fileprivate let outerSteps: Int
    fileprivate let steps: Int
    fileprivate let checkpoint: DocumentBuilder.Checkpoint
    /// True if no new value was begun, but the current one is continued.
    fileprivate var isSame = false
  }

  private var slot: ValueSlot {
    ValueSlot(
      state: state, outerState: state, depth: depth, outerSteps: outerSteps, steps: steps.count,
      checkpoint: document.checkpoint)
  }

  /// Continues the current value, without beginning a member or an element.
  @usableFromInline
  mutating func beginWhole() -> ValueSlot {
    closeSteps(after: outerSteps)
    return slot
  }

  /// Begins the value at `path`, and opens the containers on the path.
  @usableFromInline
  mutating func beginValue(at path: JSON.Path) throws -> ValueSlot {
    // The common case: a single key, and no container to close.
    guard steps.count == outerSteps else { return try beginValue(after: path) }
    var slot = slot
    switch path.storage {
    case .literal(let key):
      try openContainer(.object, at: path)
      key.withUTF8Buffer { buffer in
        // Safety: the buffer is used in the call only.
        unsafe document.appendKey(utf8: buffer.span)
      }
    case .other(let steps):
      guard case .one(.key(let key)) = steps.storage else { return try beginValue(after: path) }
      try openContainer(.object, at: path)
      document.appendKey(key)
    }
    descend(from: &slot)
    return slot
  }

  private mutating func beginValue(after path: JSON.Path) throws -> ValueSlot {
    let path = path.steps
    let shared = zip(steps[outerSteps...], path.dropLast()).prefix { $0 == $1 }.count
    closeSteps(after: outerSteps + shared)
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

  /// Begins the value of the next element.
  @usableFromInline
  mutating func beginElement() throws -> ValueSlot {
    closeSteps(after: outerSteps)
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
    closeSteps(after: outerSteps + shared)
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

  /// Ends the value that was begun when `slot` was created.
  @usableFromInline
  mutating func end(_ slot: ValueSlot) {
    if slot.isSame { return }
    closeSlot()
    state = slot.outerState
    depth = slot.depth
    outerSteps = slot.outerSteps
  }

  /// Closes all containers that are open in the current value. If nothing was written, the value is an empty object.
  private mutating func closeSlot() {
    // A slot without a value becomes an empty object.
    if state == .nothing { document.beginObject() }
    while document.depth > depth { document.endContainer() }
    steps.removeLast(steps.count - outerSteps)
  }

  /// Returns the document with everything that was written. All values must have been ended.
  consuming func finish() -> DocumentBuilder {
    closeSlot()
    return document
  }
}

// MARK: - Containers

extension JSON.Builder {
  /// Ensures that the current value is a container of this kind: opens it if nothing has been written, and throws an error if the value is
  /// of another kind.
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
  private mutating func closeSteps(after count: Int) {
    while steps.count > count {
      document.endContainer()
      steps.removeLast()
    }
  }

  /// Records that the current value is a scalar, which must be written next. Throws an error if a value has already been written.
  @inline(__always)
  mutating func claim() throws {
    guard state == .nothing else { throw JSONEncodingError(.severalValues) }
    state = .complete
  }
}

// MARK: - Errors

extension JSON.Builder {
  /// Removes everything written since `slot` was created, and returns `error` with `path` prepended to its path.
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

  /// Removes everything written since `slot` was created, which was for an element. Returns `error` with the index of the element prepended
  /// to its path.
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
