import AnvilCodable
import AnvilTestSupport
import Foundation

/// A generated document, whose members may share keys.
indirect enum DocumentNode {
  /// The text of a scalar.
  case scalar(String)
  case array([DocumentNode])
  case object([(key: String, value: DocumentNode)])

  init(_ json: JSON) {
    switch json.kind {
    case .object: self = .object(json.members.map { ($0, DocumentNode($1)) })
    case .array: self = .array(json.elements.map(DocumentNode.init))
    default: self = .scalar(json.serializedText())
    }
  }
}

/// Makes documents that are almost those of a model.
struct DamagedDocuments {
  private static let scalars = [
    "null", "true", "false", "0", "1", "-1", "1.0", "1.5", "-0.0", "1e2", "1e400", "300", "18446744073709551616",
    "1234567890123", "\"\"", "\"x\"", "\"1\"", "\"AQI=\"", "\"2026-01-02T03:04:05Z\"",
    "\"2026-01-02T03:04:05.5+01:00\"",
    "\"http://a.b/c\"", "\"dot\"", "\"user\"", "\"NaN\"", "\"\\ud83d\\ude42\"", "\"a\\/b\"", "\"é\"", "\"e\u{301}\"",
    "\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"",
  ]
  private static let bytes = Array("{}[]\",:0123456789.eE+-truefalsn \\/u\u{7F}é".utf8)
  private static let spaces = ["", "", "", " ", "\n", "\t", " \r\n "]

  private var generator: SeededGenerator
  private let keys: [String]
  private let documents: [DocumentNode]

  /// - Parameter texts: Valid texts of the model, which have its keys.
  init(of texts: [String], seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    documents = try texts.map { DocumentNode(try JSON(parsing: $0)) }
    keys = Array(Set(documents.flatMap(Self.keys))).sorted()
  }

  private static func keys(of node: DocumentNode) -> [String] {
    switch node {
    case .scalar: []
    case .array(let elements): elements.flatMap(keys)
    case .object(let members): members.flatMap { [$0.key] + keys(of: $0.value) }
    }
  }

  /// Returns the next document.
  mutating func next() -> Data {
    var document = documents[Int.random(in: documents.indices, using: &generator)]
    for _ in 0..<Int.random(in: 0...3, using: &generator) { document = damaged(document) }
    var text = Array(self.text(of: document).utf8)
    while chance(6) { damage(&text) }
    return encoded(text)
  }

  private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }

  private mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &generator) }

  // MARK: - Values

  private mutating func damaged(_ node: DocumentNode) -> DocumentNode {
    switch node {
    case .scalar: return anyValue(depth: 2)
    case .array(var elements):
      guard !elements.isEmpty, !chance(4) else {
        return chance(2) ? anyValue(depth: 2) : .array(elements + [anyValue(depth: 1)])
      }
      let index = Int.random(in: elements.indices, using: &generator)
      elements[index] = damaged(elements[index])
      return .array(elements)
    case .object(var members):
      if chance(12) { return anyValue(depth: 2) }
      guard !members.isEmpty else { return .object([(pick(keys) ?? "", anyValue(depth: 1))]) }
      let index = Int.random(in: members.indices, using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: members.remove(at: index)
      case 1: members.shuffle(using: &generator)
      // The same key again, before or after the first.
      case 2: members.insert((members[index].key, damaged(members[index].value)), at: index)
      case 3: members.append((members[index].key, anyValue(depth: 1)))
      case 4: members[index].key = variant(of: members[index].key)
      case 5: members.insert((pick(keys) ?? "x", anyValue(depth: 2)), at: index)
      default: members[index].value = damaged(members[index].value)
      }
      return .object(members)
    }
  }

  private mutating func anyValue(depth: Int) -> DocumentNode {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &generator) {
    case 6: .array((0..<Int.random(in: 0...2, using: &generator)).map { _ in anyValue(depth: depth - 1) })
    case 7:
      .object(
        (0..<Int.random(in: 0...2, using: &generator)).map { _ in (pick(keys) ?? "x", anyValue(depth: depth - 1)) })
    default: .scalar(pick(Self.scalars) ?? "null")
    }
  }

  /// A key that is almost this one: canonically equivalent, in another case, or of another model.
  private mutating func variant(of key: String) -> String {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: key.decomposedStringWithCanonicalMapping
    case 1: key.precomposedStringWithCanonicalMapping
    case 2: key.uppercased()
    case 3: key + "x"
    default: pick(keys) ?? key
    }
  }

  // MARK: - Texts

  private mutating func text(of node: DocumentNode) -> String {
    let space = chance(3) ? pick(Self.spaces) ?? "" : ""
    switch node {
    case .scalar(let text): return space + text
    case .array(let elements):
      let texts = elements.map { text(of: $0) }
      return "\(space)[\(texts.joined(separator: space + ","))\(space)]"
    case .object(let members):
      let texts = members.map { "\(space)\(literal($0.key))\(space):\(text(of: $0.value))" }
      return "\(space){\(texts.joined(separator: ","))\(space)}"
    }
  }

  private mutating func literal(_ key: String) -> String {
    let escapesAll = chance(10)
    let scalars = key.unicodeScalars.map { scalar -> String in
      guard escapesAll || scalar.value < 0x20 || scalar == "\"" || scalar == "\\" else { return String(scalar) }
      return String(scalar).utf16.map { "\\u" + String(0x10000 + Int($0), radix: 16).dropFirst() }.joined()
    }
    return "\"\(scalars.joined())\""
  }

  private mutating func damage(_ text: inout [UInt8]) {
    guard !text.isEmpty else { return }
    let index = Int.random(in: text.indices, using: &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: text.removeSubrange(index...)
    case 1: text.remove(at: index)
    case 2: text.insert(pick(Self.bytes) ?? 0, at: index)
    case 3: text[index] = pick(Self.bytes) ?? 0
    default: text.append(contentsOf: text[index...])
    }
  }

  /// Returns the text in UTF-8, or seldom in another encoding.
  private mutating func encoded(_ text: [UInt8]) -> Data {
    guard chance(10) else { return Data(text) }
    let string = String(decoding: text, as: UTF8.self)
    return switch Int.random(in: 0..<4, using: &generator) {
    case 0: Data([0xEF, 0xBB, 0xBF] + text)
    case 1: string.data(using: .utf16LittleEndian) ?? Data()
    case 2: string.data(using: .utf16) ?? Data()
    default: string.data(using: .utf32BigEndian) ?? Data()
    }
  }
}
