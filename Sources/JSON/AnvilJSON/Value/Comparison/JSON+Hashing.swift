extension JSON {
  /// Hashes the components that `==` compares, so that equal values have equal hashes.
  ///
  /// A number is hashed as its nearest double, which is the same for all equal numbers. Numbers beyond the range of
  /// doubles are hashed by their sign only.
  ///
  /// - Complexity: The same as `==`.
  public func hash(into hasher: inout Hasher) {
    var traversal = Traversal(self, order: .sortedFirst(.scalars))
    while let event = traversal.next() {
      switch event {
      case .key(let index): document.hashString(at: index, into: &hasher)
      case .scalar(let index): document.hashScalar(at: index, into: &hasher)
      case .begin(let index): hasher.combine(document.tape[index].rawKind)
      case .end: hasher.combine(UInt8.max)
      }
    }
  }
}

extension Document {
  fileprivate func hashScalar(at index: Int, into hasher: inout Hasher) {
    let word = tape[index]
    if word.isString {
      hasher.combine(TapeWord.Kind.string.rawValue)
      hashString(at: index, into: &hasher)
    } else if word.isNumber {
      hasher.combine(TapeWord.Kind.double.rawValue)
      // Zeros of either sign have the same hash. The second word of a number that is out of range holds an infinity.
      hasher.combine(double(at: index) ?? Double(bitPattern: tape[index + 1].bits))
    } else {
      hasher.combine(word.rawKind)
    }
  }

  fileprivate func hashString(at index: Int, into hasher: inout Hasher) {
    let length = stringLength(at: index)
    hasher.combine(length)
    bytes.withSpan(at: tape[index].offset, length: length) { span in
      // Safety: the bytes are alive and initialised as long as the span.
      unsafe span.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
  }
}
