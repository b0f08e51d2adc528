internal import AnvilText

extension String {
  /// The lines of the text as ``printable``: line ends and tabs are kept.
  var printableLines: String {
    guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
    return reduce(into: "") { text, character in
      switch character {
      case "\n", "\r\n", "\t": text.append(character)
      default: text += String(character).printable
      }
    }
  }
}
