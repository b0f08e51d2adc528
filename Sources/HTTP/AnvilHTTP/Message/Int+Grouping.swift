extension Int {
  /// The digits in groups of three: `18 342`.
  package var grouped: String {
    let digits = Array(String(self))
    return digits.indices.reduce(into: "") { text, index in
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += " " }
      text.append(digits[index])
    }
  }
}
