internal import AnvilBase

extension JSON {
  /// The text of the value on one line, at most a few hundred characters long: `{"id": 1, "login": "anviking"}`.
  ///
  /// Strings and numbers are cut after 40 bytes. Containers nested in more than four others are not opened, and the text beyond the
  /// maximum length is left out. Each omission is marked with `…`.
  var excerpt: String {
    var excerpt = Excerpt(document: document)
    excerpt.append(index, depth: 0)
    return excerpt.text
  }
}

/// Builds a text of limited length for a value of any size.
private struct Excerpt {
  private static let longestText = 120
  private static let longestScalar = 40
  private static let deepest = 4

  let document: Document
  private(set) var text = ""

  init(document: Document) { self.document = document }

  private var isFull: Bool { text.utf8.count >= Self.longestText }

  mutating func append(_ index: Int, depth: Int) {
    let word = document.tape[index]
    switch word.kind {
    case .null: text += "null"
    case .true: text += "true"
    case .false: text += "false"
    case .integer, .double, .signed, .unsigned:
      let number = document.numberText(at: index) ?? ""
      text += number.utf8.count <= Self.longestScalar ? number : number.prefix(Self.longestScalar) + "…"
    case .string, .longString: appendString(index)
    case .array, .object: appendContainer(index, depth: depth)
    }
  }

  private mutating func appendString(_ index: Int) {
    let offset = document.tape[index].offset
    let length = document.stringLength(at: index)
    var shown = min(length, Self.longestScalar)
    // Do not cut within a scalar.
    while shown > 0, shown < length, document.bytes[offset + shown] & 0xC0 == 0x80 { shown -= 1 }
    let beginning = (0..<shown).map { document.bytes[offset + $0] }
    let quoted = String(decoding: beginning, as: UTF8.self).quoted
    text += shown < length ? quoted.dropLast() + "…\"" : quoted
  }

  private mutating func appendContainer(_ index: Int, depth: Int) {
    let members = document.members(ofContainerAt: index)
    text += members.isObject ? "{" : "["
    for member in members {
      if member.key > index + 1 { text += ", " }
      guard depth < Self.deepest, !isFull else {
        text += "…"
        break
      }
      if members.isObject {
        appendString(member.key)
        text += ": "
      }
      append(member.value, depth: depth + 1)
    }
    text += members.isObject ? "}" : "]"
  }
}
