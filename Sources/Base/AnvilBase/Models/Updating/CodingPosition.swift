/// The position of a value in an input. Its coding path is computed only when it is needed.
///
/// A decoder may have to count the preceding elements to compute its coding path. Computing the path of every element would make
/// reading a list quadratic, and paths are rarely used except in errors.
indirect enum CodingPosition {
  /// The position of a decoder.
  case decoder(any Decoder)
  /// The value of a key in the container at a position.
  case below(CodingPosition, any CodingKey)

  /// The keys from the root to the position.
  ///
  /// - Complexity: O(*d*), where *d* is the depth below a decoder, plus the complexity of the decoder's path.
  var path: [any CodingKey] {
    var position = self
    var keys: [any CodingKey] = []
    while case .below(let outer, let key) = position {
      keys.append(key)
      position = outer
    }
    guard case .decoder(let decoder) = position else { return keys.reversed() }
    return decoder.codingPath + keys.reversed()
  }
}
