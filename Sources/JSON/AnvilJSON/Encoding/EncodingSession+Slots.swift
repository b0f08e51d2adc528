internal import AnvilBase

extension EncodingSession {
  /// Makes the ``ValueSlot`` with this identity the innermost one, so that it can be written to.
  ///
  /// - Returns: True if the slot is open.
  @inline(__always)
  func activate(_ identity: Int) -> Bool {
    !slots.isEmpty && slots[slots.top].identity == identity || resume(identity)
  }

  /// Opens a ``ValueSlot`` for the value of the last member that was begun.
  @inline(__always)
  func pushMember(_ key: some CodingKey) -> Int {
    keys.push(key)
    return push(position: nil)
  }

  /// Begins an element of the innermost array and opens a ``ValueSlot`` for it.
  @inline(__always)
  func pushElement() -> Int {
    let position = slots[slots.top].count
    beginElement()
    return push(position: position)
  }

  @inline(__always)
  private func push(position: Int?) -> Int {
    let identity = makeIdentity()
    let depth = slots[slots.top].depth &+ 1
    slots.push(
      ValueSlot(
        identity: identity, depth: depth, position: position, isKeyed: position == nil, start: output.count,
        firstMember: members.count))
    if current !== main { detached[identity] = current }
    return identity
  }

  @inline(__always)
  private func pop() {
    let top = slots.top
    if slots[top].isKeyed { keys.truncate(to: keys.top) }
    if current !== main { detached[slots[top].identity] = nil }
    members.truncate(to: slots[top].firstMember)
    slots.truncate(to: top)
  }

  /// Begins a container in the innermost ``ValueSlot``, or continues the existing one.
  ///
  /// - Throws: An error if the slot has another value, or the nesting would be too deep.
  @inline(__always)
  func open(_ kind: ValueSlot.Kind) throws {
    let top = slots.top
    if slots[top].kind == kind { return }
    guard slots[top].kind == .nothing, slots[top].depth < Self.maximumDepth else { throw refusal(of: kind) }
    slots[top].kind = kind
    output.append(kind == .object ? .openBrace : .openBracket)
  }

  /// Does the same as ``open(_:)`` for callers that cannot throw. An error is recorded, and the encoder throws it when everything is
  /// encoded.
  ///
  /// - Returns: True if the container is open.
  func openOrFail(_ kind: ValueSlot.Kind) -> Bool {
    do {
      try open(kind)
      return true
    } catch {
      if failure == nil { failure = error }
      return false
    }
  }

  /// Marks the innermost ``ValueSlot`` as a scalar, which must be written next.
  @inline(__always)
  func claimScalar() throws {
    let top = slots.top
    guard slots[top].kind == .nothing else { throw refusal(of: .scalar) }
    slots[top].kind = .scalar
  }

  @inline(never)
  private func refusal(of kind: ValueSlot.Kind) -> any Error {
    let slot = slots[slots.top]
    let reason =
      slot.kind == .nothing
      ? "More than \(Self.maximumDepth) nested containers."
      : "Cannot encode \(kind): a value (\(slot.kind)) has already been encoded at this path."
    return EncodingError.invalidValue(
      "\(kind)", .init(codingPath: codingPath(of: slot.identity), debugDescription: reason))
  }

  @inline(__always)
  func beginElement() {
    let top = slots.top
    let count = slots[top].count
    if count > 0 { output.append(.comma) }
    slots[top].count = count &+ 1
    if isPretty { breakLine(depth: slots[top].depth &+ 1) }
  }

  func breakLine(depth: Int) {
    output.append(.lineFeed)
    for _ in 0..<depth {
      output.reserve(2)
      output.put((0x2020 as UInt16), length: 2)
    }
  }

  /// Closes the ``ValueSlot`` with this identity, and all slots in it, after the value of the slot has been encoded.
  ///
  /// If nothing was written, the value is an empty object.
  @inline(__always)
  func close(_ identity: Int) {
    let top = slots.top
    if slots[top].identity == identity, !hasGaps { return closeInnermost() }
    closeAll(from: identity)
  }

  /// Closes the innermost ``ValueSlot``, whose text has no ``FragmentGap``.
  @inline(__always)
  func closeInnermost() {
    switch slots[slots.top].kind {
    case .scalar: break
    case .array: closeContainer(.closeBracket)
    case .object:
      if sortsKeys || slots[slots.top].hasReplacedMembers { arrangeMembers() }
      closeContainer(.closeBrace)
    case .nothing:
      output.append(.openBrace)
      closeContainer(.closeBrace)
    }
    pop()
  }

  @inline(__always)
  private func closeContainer(_ bracket: UInt8) {
    if isPretty {
      let slot = slots[slots.top]
      if slot.count == 0 { output.append(.lineFeed) }
      breakLine(depth: slot.depth)
    }
    output.append(bracket)
  }

  /// Removes a value that could not be encoded, together with the separator before it.
  ///
  /// - Parameters:
  ///   - distance: The distance from the beginning of the container to the separator.
  ///   - member: The key of the value, and the number of the earlier member with that key; `nil` for an element.
  ///   - error: The error that the encoder throws when everything is encoded, if the value can no longer be removed.
  @inline(never)
  func withdraw(_ identity: Int, from distance: Int, member: (name: String, replaced: Int?)?, after error: any Error) {
    guard let index = switchToFragment(with: identity), index > 0 else {
      failure = failure ?? error
      return
    }
    let offset = slots[index - 1].start + distance
    while slots.count > index { pop() }
    while let gap = gaps.last, gap.offset > offset {
      gaps.removeLast()
      forget(gap.fragment)
    }
    output.truncate(to: offset)
    guard let member else { return slots[slots.top].count -= 1 }
    removeLastMember(member.name, replacing: member.replaced)
  }
}
