/// Where in an input a value stands, to be told only to who asks.
///
/// A decoder may have to count the elements before its own to tell its coding path: asking for each element of a list would
/// make reading the list quadratic, and a path is hardly ever looked at except in an error.
indirect enum CodingPlace {
  /// Where the decoder stands.
  case decoder(any Decoder)
  /// Under a key of what stands at a place.
  case below(CodingPlace, any CodingKey)

  /// The keys from the root to the place.
  ///
  /// - Complexity: the depth below a decoder, and that of the decoder's own path.
  var path: [any CodingKey] {
    var place = self
    var keys: [any CodingKey] = []
    while case .below(let outer, let key) = place {
      keys.append(key)
      place = outer
    }
    guard case .decoder(let decoder) = place else { return keys.reversed() }
    return decoder.codingPath + keys.reversed()
  }
}
