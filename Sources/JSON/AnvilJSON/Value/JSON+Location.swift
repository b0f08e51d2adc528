extension JSON {
  /// The outermost value of the document that contains this value. The outermost value is its own root.
  public var root: JSON { JSON(document) }

  /// A single step from a container to a value in it. Two steps are equal if their keys have the same Unicode scalars.
  package enum Step: Sendable {
    /// The step to the member with this key.
    case key(String)
    /// The step to the element with this number, counted from 0.
    case index(Int)
  }

  /// The steps that lead from the root to this value; empty for the root.
  ///
  /// If several members of an object share a key, the step to each of them is the same.
  ///
  /// - Complexity: O(*d* · *m*), where *d* is the depth of the value and *m* the number of members of the containers around it. Values hold
  ///   no reference to the containers around them, so the steps are found by descending from the root.
  var stepsFromRoot: [Step] {
    var steps: [Step] = []
    var container = 0
    while container < index, let (step, value) = member(of: container, around: index) {
      steps.append(step)
      container = value
    }
    return steps
  }

  /// Returns the step to the member of the container at `container` that contains the word at `target`, and the index of its value.
  private func member(of container: Int, around target: Int) -> (Step, Int)? {
    let tape = document.tape
    let isObject = tape[container].is(.object)
    guard tape[container].isContainer else { return nil }
    let end = container + tape[container].span
    var next = container + 1
    var position = 0
    while next < end {
      let value = isObject ? next + tape[next].span : next
      let following = value + tape[value].span
      if target < following {
        return (isObject ? .key(document.string(at: next)) : .index(position), value)
      }
      next = following
      position += 1
    }
    return nil
  }
}

extension JSON.Step: Hashable {
  package static func == (left: JSON.Step, right: JSON.Step) -> Bool {
    switch (left, right) {
    case (.key(let left), .key(let right)): ScalarKey(left) == ScalarKey(right)
    case (.index(let left), .index(let right)): left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .key(let key): hasher.combine(ScalarKey(key))
    case .index(let index): hasher.combine(index)
    }
  }
}
