/// Opening and closing places.
extension EncodingSession {
  /// Makes the place the innermost one, so that it can be written to.
  ///
  /// - Returns: True if the place is open.
  @inline(__always)
  func activate(_ identity: Int) -> Bool {
    !places.isEmpty && places[places.top].identity == identity || resume(identity)
  }

  /// Opens a place for the value of the last member that was begun.
  @inline(__always)
  func pushMember(_ key: some CodingKey) -> Int {
    keys.push(key)
    return push(position: nil)
  }

  /// Begins an element of the innermost array and opens a place for it.
  @inline(__always)
  func pushElement() -> Int {
    let position = places[places.top].count
    beginElement()
    return push(position: position)
  }

  @inline(__always)
  private func push(position: Int?) -> Int {
    let identity = makeIdentity()
    let depth = places[places.top].depth &+ 1
    places.push(
      Place(
        identity: identity, depth: depth, position: position, isKeyed: position == nil, start: output.count,
        firstMember: members.count))
    if current !== main { detached[identity] = current }
    return identity
  }

  /// Removes the innermost place.
  @inline(__always)
  private func pop() {
    let top = places.top
    if places[top].isKeyed { keys.truncate(to: keys.top) }
    if current !== main { detached[places[top].identity] = nil }
    members.truncate(to: places[top].firstMember)
    places.truncate(to: top)
  }

  /// Begins a container in the innermost place, or continues the existing one.
  ///
  /// - Throws: An error if the place has another value, or the nesting would be too deep.
  @inline(__always)
  func open(_ kind: Place.Kind) throws {
    let top = places.top
    if places[top].kind == kind { return }
    guard places[top].kind == .nothing, places[top].depth < Self.maximumDepth else { throw refusal(of: kind) }
    places[top].kind = kind
    output.append(kind == .object ? 0x7B : 0x5B)
  }

  /// Does the same as ``open(_:)`` for callers that cannot throw. An error is thrown at the end of the call instead.
  ///
  /// - Returns: True if the container is open.
  func openOrFail(_ kind: Place.Kind) -> Bool {
    do {
      try open(kind)
      return true
    } catch {
      if failure == nil { failure = error }
      return false
    }
  }

  /// Marks the innermost place as a scalar, which must be written next.
  @inline(__always)
  func claimScalar() throws {
    let top = places.top
    guard places[top].kind == .nothing else { throw refusal(of: .scalar) }
    places[top].kind = .scalar
  }

  @inline(never)
  private func refusal(of kind: Place.Kind) -> any Error {
    let place = places[places.top]
    let reason =
      place.kind == .nothing
      ? "More than \(Self.maximumDepth) containers within each other."
      : "Cannot encode \(kind) where there is \(place.kind)."
    return EncodingError.invalidValue(
      "\(kind)", .init(codingPath: codingPath(of: place.identity), debugDescription: reason))
  }

  /// Begins an element of the innermost array.
  @inline(__always)
  func beginElement() {
    let top = places.top
    let count = places[top].count
    if count > 0 { output.append(0x2C) }
    places[top].count = count &+ 1
    if isPretty { breakLine(depth: places[top].depth &+ 1) }
  }

  func breakLine(depth: Int) {
    output.append(0x0A)
    for _ in 0..<depth {
      output.reserve(2)
      output.put((0x2020 as UInt16), length: 2)
    }
  }

  /// Closes a place and all places in it after its value has been encoded.
  ///
  /// If nothing was written, the value is an empty object.
  @inline(__always)
  func close(_ identity: Int) {
    let top = places.top
    if places[top].identity == identity, !hasHoles { return closeInnermost() }
    closeAll(from: identity)
  }

  /// Closes the innermost place, which has no holes.
  @inline(__always)
  func closeInnermost() {
    switch places[places.top].kind {
    case .scalar: break
    case .array: closeContainer(0x5D)
    case .object:
      if sortsKeys || places[places.top].hasReplacedMembers { arrangeMembers() }
      closeContainer(0x7D)
    case .nothing:
      output.append(0x7B)
      closeContainer(0x7D)
    }
    pop()
  }

  @inline(__always)
  private func closeContainer(_ bracket: UInt8) {
    if isPretty {
      let place = places[places.top]
      if place.count == 0 { output.append(0x0A) }
      breakLine(depth: place.depth)
    }
    output.append(bracket)
  }

  /// Removes a value that could not be encoded, together with the separator before it.
  ///
  /// - Parameters:
  ///   - distance: The distance from the beginning of the container to the separator.
  ///   - error: Thrown at the end of the call if the value can no longer be removed.
  @inline(never)
  func withdraw(_ identity: Int, from distance: Int, isMember: Bool, after error: any Error) {
    guard let index = switchToPart(with: identity), index > 0 else {
      failure = failure ?? error
      return
    }
    let offset = places[index - 1].start + distance
    while places.count > index { pop() }
    while let hole = holes.last, hole.offset > offset {
      holes.removeLast()
      forget(hole.part)
    }
    output.truncate(to: offset)
    let top = places.top
    places[top].count -= 1
    guard isMember else { return }
    members.truncate(to: members.count - 1)
    indexes[places[top].identity] = nil
  }
}
