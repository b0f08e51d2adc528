import AnvilJSON

/// A document under construction that matches a type except for a few changes.
indirect enum DocumentTree {
  /// A scalar's text, well-formed or not.
  case text(String)
  case string(String)
  case array([DocumentTree])
  case object([(key: String, value: DocumentTree)])

  init(_ json: JSON) {
    switch json.kind {
    case .array: self = .array(json.elements.map(DocumentTree.init))
    case .object: self = .object(json.members.map { ($0.key, DocumentTree($0.value)) })
    case .string: self = .string(json.string ?? "")
    case .null, .bool, .number: self = .text(json.description)
    }
  }

  /// A value of any kind, which is unlikely to be the expected one.
  private static func anything(_ random: inout RandomSource) -> DocumentTree {
    switch random.below(8) {
    case 0: .array(random.oneIn(2) ? [] : [.text("1"), .text("null")])
    case 1: .object(random.oneIn(2) ? [] : [("a", .text("1")), ("street", .string("b"))])
    case 2: .string(random.text())
    case 3, 4: .text(random.pick(numbers))
    default: .text(random.pick(["null", "null", "true", "false", "0", "-1"]))
    }
  }

  private static let numbers = [
    "1", "-0", "0.0", "1.0", "1e2", "10e-1", "1.5", "300", "-129", "65536", "4294967296", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
    "18446744073709551616",
    "170141183460469231731687303715884105728", "1e19", "1e400", "-1e400", "1e-400", "3.5e38",
    "0.1000000000000000055511151231",
    "9007199254740993", "123456789012345678901234567890.5", "576460752303423488", "1E+2", "57646075230342348.0",
  ]

  /// Changes one place.
  mutating func mutate(_ random: inout RandomSource) {
    switch self {
    case .array(var elements) where !elements.isEmpty && !random.oneIn(4):
      let index = random.below(elements.count)
      switch random.below(6) {
      case 0: elements.remove(at: index)
      case 1: elements.insert(Self.anything(&random), at: index)
      default: elements[index].mutate(&random)
      }
      self = .array(elements)
    case .object(var members) where !members.isEmpty && !random.oneIn(8):
      let index = random.below(members.count)
      switch random.below(14) {
      case 0: members.remove(at: index)
      case 1:
        members[index].key = random.pick(["", "other", members[index].key.uppercased(), members[index].key + "\u{301}"])
      case 2: members.append((members[index].key, Self.anything(&random)))
      case 3: members.insert(members[index], at: 0)
      case 4: members.insert(("unknown", Self.anything(&random)), at: index)
      case 5: members.swapAt(0, index)
      case 6: members.reverse()
      default: members[index].value.mutate(&random)
      }
      self = .object(members)
    default: self = Self.anything(&random)
    }
  }

  /// The document's text, with white space and escapes here and there.
  func text(_ random: inout RandomSource) -> [UInt8] {
    var output: [UInt8] = []
    write(to: &output, &random)
    return output
  }

  private func write(to output: inout [UInt8], _ random: inout RandomSource) {
    if random.oneIn(16) { output += random.pick([" ", "\n\t", "\r\n", "                    "]).utf8 }
    switch self {
    case .text(let text): output += text.utf8
    case .string(let string): Self.write(string, to: &output, &random)
    case .array(let elements):
      output.append(0x5B)
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(0x2C) }
        element.write(to: &output, &random)
      }
      output.append(0x5D)
    case .object(let members):
      output.append(0x7B)
      for (index, member) in members.enumerated() {
        if index > 0 { output.append(0x2C) }
        Self.write(member.key, to: &output, &random)
        output.append(0x3A)
        member.value.write(to: &output, &random)
      }
      output.append(0x7D)
    }
    if random.oneIn(16) { output.append(0x20) }
  }

  private static func write(_ string: String, to output: inout [UInt8], _ random: inout RandomSource) {
    let escapesAll = random.oneIn(24)
    output.append(0x22)
    if escapesAll {
      for unit in string.utf16 {
        let digits = String(unit, radix: 16, uppercase: unit & 1 == 0)
        output += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
      }
    } else {
      let text = JSON(string).serializedData()
      output += text[1..<(text.count - 1)]
    }
    output.append(0x22)
  }
}

/// Changes bytes without regard to JSON.
enum Damage {
  static func apply(to bytes: inout [UInt8], _ random: inout RandomSource) {
    guard !bytes.isEmpty else { return }
    let index = random.below(bytes.count)
    switch random.below(6) {
    case 0: bytes.remove(at: index)
    case 1: bytes[index] = UInt8(truncatingIfNeeded: random.next())
    case 2: bytes.removeSubrange(index...)
    case 3: bytes[index] = bytes[random.below(bytes.count)]
    default: bytes.insert(random.pick(Array(#"{}[]",:\u0-.eE+1n "#.utf8)), at: index)
    }
  }
}
