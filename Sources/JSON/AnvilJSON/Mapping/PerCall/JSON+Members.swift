extension JSON {
  /// Returns the result of `decode` for each element of this array.
  func decodeElements<Element>(with decode: (JSON) throws -> Element) throws -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(try members(of: .array).reservedCount)
    try forEachMember { step, value in
      do {
        elements.append(try decode(value))
      } catch {
        throw locating(error, at: Path(steps: [step]), in: value)
      }
    }
    return elements
  }

  /// Calls `body` with the step to each member of this container and its value.
  package func forEachMember(_ body: (Step, JSON) throws -> Void) rethrows {
    let isObject = word.is(.object)
    let end = index + word.span
    var next = index + 1
    var position = 0
    while next < end {
      let step: Step = isObject ? .key(document.string(at: next)) : .index(position)
      if isObject { next += document.tape[next].span }
      try body(step, JSON(document, at: next))
      next += document.tape[next].span
      position += 1
    }
  }
}
