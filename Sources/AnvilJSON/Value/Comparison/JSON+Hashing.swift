extension JSON: Hashable {
  /// Feeds what `==` compares: equal values have equal hashes.
  ///
  /// A number feeds the double nearest to it, which is the same for all that are equal; numbers beyond the range of
  /// doubles feed only their sign.
  ///
  /// - Complexity: as that of `==`.
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
      // Zeros of either sign hash the same. What is out of range is an infinity in its second word.
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
