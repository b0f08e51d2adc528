/// Writing to a ``ValueSlot`` that is not the innermost one.
extension EncodingSession {
  /// Makes an outer ``ValueSlot`` the innermost one. The slots that are open in it are moved into a separate ``TextFragment``. Returns
  /// false if the outer slot is closed.
  @inline(never)
  func resume(_ identity: Int) -> Bool {
    guard let index = switchToFragment(with: identity) else { return false }
    if index < slots.top { detach(from: index + 1) }
    return true
  }

  /// Switches to the ``TextFragment`` that contains the ``ValueSlot`` with this identity.
  ///
  /// - Returns: The index of the slot; `nil` if it is closed.
  func switchToFragment(with identity: Int) -> Int? {
    if let index = index(of: identity) { return index }
    if let fragment = detached[identity] { switchTo(fragment) } else if current !== main { switchTo(main) }
    return index(of: identity)
  }

  private func index(of identity: Int) -> Int? {
    (0..<slots.count).last { slots[$0].identity == identity }
  }

  private func switchTo(_ fragment: TextFragment) {
    guard fragment !== current else { return }
    exchange(with: current)
    exchange(with: fragment)
    current = fragment
  }

  private func exchange(with fragment: TextFragment) {
    output.swap(with: fragment.output)
    slots.swap(with: fragment.slots)
    members.swap(with: fragment.members)
    keys.swap(with: fragment.keys)
    swap(&gaps, &fragment.gaps)
  }

  /// Moves the slots from `index` on, and their text, into a separate fragment. `index` must not be that of the outermost slot.
  private func detach(from index: Int) {
    let root = slots[index]
    let fragment = TextFragment(parent: slots[index - 1].identity, root: root.identity)
    let keyed = (index..<slots.count).count { slots[$0].isKeyed }
    for key in keys.cut(from: keys.count - keyed) { fragment.keys.push(key) }
    for member in members.cut(from: root.firstMember) {
      var member = member
      member.start -= root.start
      member.value -= root.start
      fragment.members.push(member)
    }
    for slot in slots.cut(from: index) {
      var slot = slot
      slot.start -= root.start
      slot.firstMember -= root.firstMember
      fragment.slots.push(slot)
      detached[slot.identity] = fragment
    }
    while let gap = gaps.last, gap.offset >= root.start {
      fragment.gaps.insert(FragmentGap(offset: gap.offset - root.start, fragment: gap.fragment), at: 0)
      gaps.removeLast()
    }
    fragment.output.append(output.cut(from: root.start).elementSpan)
    gaps.append(FragmentGap(offset: root.start, fragment: fragment))
  }

  /// Closes a ``ValueSlot`` that is not the innermost one or whose text has a ``FragmentGap``.
  @inline(never)
  func closeAll(from identity: Int) {
    guard let index = switchToFragment(with: identity) else { return }
    fillGaps(in: index)
    while slots.count > index { closeInnermost() }
  }

  /// Inserts the fragments that belong after the beginning of the slot at `index` into the text, and moves the text after them.
  private func fillGaps(in index: Int) {
    let start = slots[index].start
    guard let first = gaps.firstIndex(where: { $0.offset >= start }) else { return }
    let filled = Array(gaps[first...])
    gaps.removeSubrange(first...)
    let origin = filled[0].offset
    let text = output.cut(from: origin)
    var next = 0
    var lengths: [(offset: Int, length: Int)] = []
    for gap in filled {
      output.append(text.elementSpan.extracting(next..<gap.offset - origin))
      next = gap.offset - origin
      let insertion = finishedText(of: gap.fragment)
      output.append(insertion.elementSpan)
      lengths.append((gap.offset, insertion.count))
    }
    output.append(text.elementSpan.extracting(next..<text.count))
    // The value that filled a gap begins at the gap's offset. Only the text after it moves.
    func moved(_ offset: Int) -> Int { lengths.reduce(offset) { $1.offset < offset ? $0 + $1.length : $0 } }
    for member in slots[index].firstMember..<members.count {
      members[member].start = moved(members[member].start)
      members[member].value = moved(members[member].value)
    }
    for slot in index + 1..<slots.count { slots[slot].start = moved(slots[slot].start) }
  }

  private func finishedText(of fragment: TextFragment) -> [UInt8] {
    let writing = current
    switchTo(fragment)
    if !slots.isEmpty { closeAll(from: slots[0].identity) }
    let text = output.cut(from: 0)
    switchTo(writing)
    forget(fragment)
    return text
  }

  /// Closes all slots of a fragment and of the fragments inside it, without inserting their text anywhere.
  func forget(_ fragment: TextFragment) {
    detached = detached.filter { $0.value !== fragment }
    for gap in fragment.gaps { forget(gap.fragment) }
  }
}
