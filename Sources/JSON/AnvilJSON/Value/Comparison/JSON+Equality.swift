extension JSON {
  /// Returns whether both values are equal. Their location, which ``path`` and ``root`` return, is not compared.
  ///
  /// - Numbers are compared by their exact value, with all their digits. `1`, `1.0` and `10e-1` are equal, and so are `-0` and `0`.
  ///   `9007199254740993` and `9007199254740992.0` differ, although their nearest doubles are equal.
  /// - Strings are compared by Unicode scalars, as in RFC 8259 §8.3. `"é"` and `"e\u{301}"`, which are equal as `String`, differ
  ///   here, because they are different keys to every other reader of the document.
  /// - Arrays are compared in order, objects regardless of order. If several members share a key, only the first is compared.
  /// - `json == nil` is true for `null`. `json["key"] == nil` is true only if there is no such member.
  ///
  /// - Complexity: O(*n* log *m*), where *n* is the size of the values and *m* that of their largest object. The nesting depth of the
  ///   values is not limited.
  public static func == (left: JSON, right: JSON) -> Bool {
    if left.document === right.document, left.index == right.index { return true }
    var comparison = Comparison(left: left.document, right: right.document)
    return comparison.areEqual(left.index, right.index)
  }
}

/// Compares values of two documents with an explicit stack instead of recursion.
private struct Comparison {
  let left: Document
  let right: Document
  /// Containers that are still to be compared.
  var pending: [(left: Int, right: Int)] = []

  mutating func areEqual(_ leftIndex: Int, _ rightIndex: Int) -> Bool {
    guard scalarsAreEqual(leftIndex, rightIndex) else { return false }
    while let (leftIndex, rightIndex) = pending.popLast() {
      let isObject = left.tape[leftIndex].is(.object)
      guard isObject ? objectsAreEqual(leftIndex, rightIndex) : arraysAreEqual(leftIndex, rightIndex) else {
        return false
      }
    }
    return true
  }

  /// Returns whether two scalars are equal. Two containers of the same kind are added to ``pending`` and treated as equal so far.
  private mutating func scalarsAreEqual(_ leftIndex: Int, _ rightIndex: Int) -> Bool {
    let leftWord = left.tape[leftIndex]
    let rightWord = right.tape[rightIndex]
    if leftWord.isContainer {
      guard leftWord.kind == rightWord.kind else { return false }
      pending.append((leftIndex, rightIndex))
      return true
    }
    if leftWord.isString {
      return rightWord.isString && left.stringsAreEqual(at: leftIndex, and: rightIndex, of: right)
    }
    if leftWord.isNumber {
      return rightWord.isNumber && left.numbersAreEqual(at: leftIndex, and: rightIndex, of: right)
    }
    return leftWord.kind == rightWord.kind
  }

  private mutating func arraysAreEqual(_ leftIndex: Int, _ rightIndex: Int) -> Bool {
    guard left.tape[leftIndex].count == right.tape[rightIndex].count else { return false }
    let leftEnd = leftIndex + left.tape[leftIndex].span
    let rightEnd = rightIndex + right.tape[rightIndex].span
    var leftNext = leftIndex + 1
    var rightNext = rightIndex + 1
    while leftNext < leftEnd, rightNext < rightEnd {
      guard scalarsAreEqual(leftNext, rightNext) else { return false }
      leftNext += left.tape[leftNext].span
      rightNext += right.tape[rightNext].span
    }
    return leftNext == leftEnd && rightNext == rightEnd
  }

  private mutating func objectsAreEqual(_ leftIndex: Int, _ rightIndex: Int) -> Bool {
    let leftMembers = left.sortedFirstMembers(ofObjectAt: leftIndex, by: .scalars)
    let rightMembers = right.sortedFirstMembers(ofObjectAt: rightIndex, by: .scalars)
    guard leftMembers.count == rightMembers.count else { return false }
    for (leftMember, rightMember) in zip(leftMembers, rightMembers) {
      guard left.stringsAreEqual(at: leftMember.key, and: rightMember.key, of: right),
        scalarsAreEqual(leftMember.value, rightMember.value)
      else { return false }
    }
    return true
  }
}

extension Document {
  /// Returns whether two numbers have the same exact value.
  fileprivate func numbersAreEqual(at index: Int, and otherIndex: Int, of other: Document) -> Bool {
    // Equal numbers have the same nearest double; different numbers usually do not.
    let value = double(at: index)
    let otherValue = other.double(at: otherIndex)
    guard value == otherValue else { return value?.isNaN == true && otherValue?.isNaN == true }
    let isText = tape[index].is(.double)
    switch (isText, other.tape[otherIndex].is(.double)) {
    case (false, _), (_, false):
      return integer(at: index, as: Int128.self) == other.integer(at: otherIndex, as: Int128.self)
    case (true, true):
      return decimalText(at: index).hasValue(of: other.decimalText(at: otherIndex))
    }
  }

  private func decimalText(at index: Int) -> DecimalText {
    let offset = tape[index].offset
    return DecimalText(bytes, from: offset, to: offset + numberLength(at: index))
  }
}
