/// The places of values. A place takes exactly one value: the root, a member or an element.
extension JSON.Builder {
  /// The state before a place was begun, used to continue after it or to return to it after an error.
  @usableFromInline
  struct ValueSlot {
    fileprivate let state: State
    /// The state of the place around it.
    fileprivate var outerState: State
    fileprivate let depth: Int
    fileprivate let outerSteps: Int
    fileprivate let steps: Int
    fileprivate let checkpoint: DocumentBuilder.Checkpoint
    /// True if no new place was begun, so that the value is written into the current one.
    fileprivate var isSame = false
  }

  private var place: ValueSlot {
    ValueSlot(
      state: state, outerState: state, depth: depth, outerSteps: outerSteps, steps: steps.count,
      checkpoint: document.checkpoint)
  }

  /// Begins writing into the current place.
  @usableFromInline
  mutating func beginWhole() -> ValueSlot {
    closeSteps(behind: outerSteps)
    var place = place
    place.isSame = true
    return place
  }

  /// Begins the place at `path`.
  @usableFromInline
  mutating func beginValue(at path: JSON.Path) throws -> ValueSlot {
    // The common case: a single key, and no container to close.
    guard steps.count == outerSteps else { return try beginValue(behind: path) }
    var place = place
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
    descend(from: &place)
    return place
  }

  private mutating func beginValue(behind path: JSON.Path) throws -> ValueSlot {
    let path = path.steps
    let shared = zip(steps[outerSteps...], path.dropLast()).prefix { $0 == $1 }.count
    closeSteps(behind: outerSteps + shared)
    var place = place
    guard let last = path.last else {
      place.isSame = true
      return place
    }
    do {
      if shared == 0 { try openContainer(path[0].container) }
      for number in shared..<(path.count - 1) {
        try enter(path[number], toContainer: true)
        try begin(path[number + 1].container)
        steps.append(path[number])
      }
      try enter(last, toContainer: false)
    } catch {
      throw failure(error, in: place, at: JSON.Path(steps: path))
    }
    descend(from: &place)
    return place
  }

  /// Begins the place of the next element.
  @usableFromInline
  mutating func beginElement() throws -> ValueSlot {
    closeSteps(behind: outerSteps)
    var place = place
    try openContainer(.array)
    descend(from: &place)
    return place
  }

  /// Ensures that there is an object, even if its only member so far is left out.
  @usableFromInline
  mutating func beginAbsentValue(at path: JSON.Path) throws {
    guard state == .nothing, path.steps.first?.container == .object else { return }
    try openContainer(.object)
  }

  private mutating func descend(from place: inout ValueSlot) {
    place.outerState = state
    state = .nothing
    depth = document.depth
    outerSteps = steps.count
  }

  /// Ends the place that was begun with `place`.
  @usableFromInline
  mutating func end(_ place: ValueSlot) {
    if place.isSame { return }
    closePlace()
    state = place.outerState
    depth = place.depth
    outerSteps = place.outerSteps
  }

  /// Closes everything that is open in the innermost place.
  private mutating func closePlace() {
    // A place without a value becomes an empty object.
    if state == .nothing { document.beginObject() }
    while document.depth > depth { document.endContainer() }
    steps.removeLast(steps.count - outerSteps)
  }

  /// Returns the document with everything that was written. All places must have been ended.
  consuming func finish() -> DocumentBuilder {
    closePlace()
    return document
  }
}

// MARK: - Containers

extension JSON.Builder {
  /// Ensures that the place contains a container of this kind that is the innermost open one.
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
      throw failure(error, in: place, at: path)
    }
  }

  private mutating func begin(_ kind: State) throws {
    guard document.depth < Self.depthLimit else { throw JSONEncodingError(.tooDeep) }
    if kind == .array { document.beginArray() } else { document.beginObject() }
  }

  /// Moves to the member or element of the innermost container at `step`.
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

  /// Claims the place for a scalar.
  @inline(__always)
  mutating func claim() throws {
    guard state == .nothing else { throw JSONEncodingError(.severalValues) }
    state = .complete
  }
}

// MARK: - Errors

extension JSON.Builder {
  /// Removes everything written since `place`, and returns `error` with `path` prepended to its path.
  @usableFromInline @inline(never)
  mutating func failure(_ error: any Error, in place: ValueSlot, at path: JSON.Path) -> JSONEncodingError {
    document.rewind(to: place.checkpoint)
    steps.removeLast(steps.count - place.steps)
    state = place.state
    depth = place.depth
    outerSteps = place.outerSteps
    var error = error as? JSONEncodingError ?? JSONEncodingError(wrapping: error)
    error.path = path.appending(error.path)
    return error
  }

  /// Does the same for an element.
  @usableFromInline @inline(never)
  mutating func failure(_ error: any Error, inElement place: ValueSlot) -> JSONEncodingError {
    let failure = failure(error, in: place, at: JSON.Path())
    var located = failure
    located.path = JSON.Path(state == .array ? document.countInContainer : 0).appending(failure.path)
    return located
  }
}

extension JSON.Step {
  /// The kind of container that has such steps.
  fileprivate var container: JSON.Builder.State {
    switch self {
    case .key: .object
    case .index: .array
    }
  }
}
