internal import AnvilBase

extension String {
  /// The text in the form of ``printable``, except that line ends and tabs are kept.
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
