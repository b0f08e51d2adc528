/// Places that are written out of order.
extension EncodingSession {
  /// Makes an outer place the innermost one. The places that are open in it are moved into a separate part.
  @inline(never)
  func resume(_ identity: Int) -> Bool {
    guard let index = switchToPart(with: identity) else { return false }
    if index < places.top { detach(from: index + 1) }
    return true
  }

  /// Switches to the part that contains the place.
  ///
  /// - Returns: The index of the place; `nil` if it is closed.
  func switchToPart(with identity: Int) -> Int? {
    if let index = index(of: identity) { return index }
    if let part = detached[identity] { switchTo(part) } else if current !== main { switchTo(main) }
    return index(of: identity)
  }

  private func index(of identity: Int) -> Int? {
    (0..<places.count).last { places[$0].identity == identity }
  }

  private func switchTo(_ part: Part) {
    guard part !== current else { return }
    exchange(with: current)
    exchange(with: part)
    current = part
  }

  private func exchange(with part: Part) {
    output.swap(with: part.output)
    places.swap(with: part.places)
    members.swap(with: part.members)
    keys.swap(with: part.keys)
    swap(&holes, &part.holes)
  }

  /// Moves the places from `index` on, which is not the outermost, and their text into a separate part.
  private func detach(from index: Int) {
    let root = places[index]
    let part = Part(parent: places[index - 1].identity, root: root.identity)
    let keyed = (index..<places.count).count { places[$0].isKeyed }
    for key in keys.cut(from: keys.count - keyed) { part.keys.push(key) }
    for member in members.cut(from: root.firstMember) {
      var member = member
      member.start -= root.start
      member.value -= root.start
      part.members.push(member)
    }
    for place in places.cut(from: index) {
      var place = place
      place.start -= root.start
      place.firstMember -= root.firstMember
      part.places.push(place)
      detached[place.identity] = part
    }
    while let hole = holes.last, hole.offset >= root.start {
      part.holes.insert(Hole(offset: hole.offset - root.start, part: hole.part), at: 0)
      holes.removeLast()
    }
    part.output.append(output.cut(from: root.start).span)
    holes.append(Hole(offset: root.start, part: part))
  }

  /// Closes a place that is not the innermost one or has holes.
  @inline(never)
  func closeAll(from identity: Int) {
    guard let index = switchToPart(with: identity) else { return }
    fillHoles(in: index)
    while places.count > index { closeInnermost() }
  }

  /// Inserts the parts that belong after the beginning of the place at `index` into the text, and moves the text after them.
  private func fillHoles(in index: Int) {
    let start = places[index].start
    guard let first = holes.firstIndex(where: { $0.offset >= start }) else { return }
    let filled = Array(holes[first...])
    holes.removeSubrange(first...)
    let origin = filled[0].offset
    let text = output.cut(from: origin)
    var next = 0
    var lengths: [(offset: Int, length: Int)] = []
    for hole in filled {
      output.append(text.span.extracting(next..<hole.offset - origin))
      next = hole.offset - origin
      let insertion = finishedText(of: hole.part)
      output.append(insertion.span)
      lengths.append((hole.offset, insertion.count))
    }
    output.append(text.span.extracting(next..<text.count))
    // A value that was a hole begins at the offset of the hole: only the text after it moves.
    func moved(_ offset: Int) -> Int { lengths.reduce(offset) { $1.offset < offset ? $0 + $1.length : $0 } }
    for member in places[index].firstMember..<members.count {
      members[member].start = moved(members[member].start)
      members[member].value = moved(members[member].value)
    }
    for place in index + 1..<places.count { places[place].start = moved(places[place].start) }
  }

  private func finishedText(of part: Part) -> [UInt8] {
    let writing = current
    switchTo(part)
    if !places.isEmpty { closeAll(from: places[0].identity) }
    let text = output.cut(from: 0)
    switchTo(writing)
    forget(part)
    return text
  }

  /// Closes all places of a part and of the parts inside it, whose text is discarded.
  func forget(_ part: Part) {
    detached = detached.filter { $0.value !== part }
    for hole in part.holes { forget(hole.part) }
  }
}
