/// Where values belong. A place is where one value has to come: the root, a member, an element.
extension JSON.Builder {
  /// What there was before a place was begun, to go on with behind it or to go back to.
  @usableFromInline
  struct Place {
    fileprivate let state: State
    /// What the place around it has by now.
    fileprivate var outerState: State
    fileprivate let depth: Int
    fileprivate let outerSteps: Int
    fileprivate let steps: Int
    fileprivate let checkpoint: DocumentBuilder.Checkpoint
    /// Whether no place was begun: what is written belongs into the one that there is.
    fileprivate var isSame = false
  }

  private var place: Place {
    Place(
      state: state, outerState: state, depth: depth, outerSteps: outerSteps, steps: steps.count,
      checkpoint: document.checkpoint)
  }

  /// Begins what is written into the place that there is.
  @usableFromInline
  mutating func beginWhole() -> Place {
    closeSteps(behind: outerSteps)
    var place = place
    place.isSame = true
    return place
  }

  /// Begins the place to which `path` leads.
  @usableFromInline
  mutating func beginValue(at path: JSON.Path) throws -> Place {
    // One key, and no container to close: what most members are.
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

  private mutating func beginValue(behind path: JSON.Path) throws -> Place {
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
  mutating func beginElement() throws -> Place {
    closeSteps(behind: outerSteps)
    var place = place
    try openContainer(.array)
    descend(from: &place)
    return place
  }

  /// Sees to it that there is an object, when the only member so far is left out.
  @usableFromInline
  mutating func beginAbsentValue(at path: JSON.Path) throws {
    guard state == .nothing, path.steps.first?.container == .object else { return }
    try openContainer(.object)
  }

  private mutating func descend(from place: inout Place) {
    place.outerState = state
    state = .nothing
    depth = document.depth
    outerSteps = steps.count
  }

  /// Ends the place that was begun with `place`.
  @usableFromInline
  mutating func end(_ place: Place) {
    if place.isSame { return }
    closePlace()
    state = place.outerState
    depth = place.depth
    outerSteps = place.outerSteps
  }

  /// Closes what is open in the innermost place.
  private mutating func closePlace() {
    // What has written nothing is an empty object.
    if state == .nothing { document.beginObject() }
    while document.depth > depth { document.endContainer() }
    steps.removeLast(steps.count - outerSteps)
  }

  /// What has been written, all of whose places have been ended.
  consuming func finish() -> DocumentBuilder {
    closePlace()
    return document
  }
}

// MARK: - Containers

extension JSON.Builder {
  /// Sees to it that the place has a container of this kind, and its innermost open one is that.
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

  /// Goes to the member or element of the innermost container that `step` names.
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

  /// Closes the containers that paths have opened beyond the first `count`.
  private mutating func closeSteps(behind count: Int) {
    while steps.count > count {
      document.endContainer()
      steps.removeLast()
    }
  }

  /// Takes the place for a scalar.
  @inline(__always)
  mutating func claim() throws {
    guard state == .nothing else { throw JSONEncodingError(.severalValues) }
    state = .complete
  }
}

// MARK: - Errors

extension JSON.Builder {
  /// Takes back what was written since `place`; `error`, with `path` before its own.
  @usableFromInline @inline(never)
  mutating func failure(_ error: any Error, in place: Place, at path: JSON.Path) -> JSONEncodingError {
    document.rewind(to: place.checkpoint)
    steps.removeLast(steps.count - place.steps)
    state = place.state
    depth = place.depth
    outerSteps = place.outerSteps
    var error = error as? JSONEncodingError ?? JSONEncodingError(wrapping: error)
    error.path = path.appending(error.path)
    return error
  }

  /// The same for an element.
  @usableFromInline @inline(never)
  mutating func failure(_ error: any Error, inElement place: Place) -> JSONEncodingError {
    let failure = failure(error, in: place, at: JSON.Path())
    var located = failure
    located.path = JSON.Path(state == .array ? document.countInContainer : 0).appending(failure.path)
    return located
  }
}

extension JSON.Step {
  /// What has such steps.
  fileprivate var container: JSON.Builder.State {
    switch self {
    case .key: .object
    case .index: .array
    }
  }
}
