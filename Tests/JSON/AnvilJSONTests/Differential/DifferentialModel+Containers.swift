/// Uses nested containers by hand: a flattened object, and rows that begin with their kind.
struct ByHand: DifferentialModel {
  var id: Int
  var street: String
  var numbers: [Int]
  var rows: [Row]

  struct Row: Equatable {
    var name: String
    var values: [Double]
    var flag: Bool?
  }

  private enum Keys: String, CodingKey { case id, address, rows }
  private enum AddressKeys: String, CodingKey { case street, numbers }
  private enum RowKeys: String, CodingKey { case flag }

  init(sample random: inout RandomSource) {
    id = random.integer()
    street = random.text()
    numbers = random.some(upTo: 3) { $0.integer() }
    rows = random.some(upTo: 2) { random in
      Row(name: random.text(), values: random.some(upTo: 2) { $0.double() }, flag: random.maybe { $0.bool() })
    }
  }

  init(from decoder: any Swift.Decoder) throws {
    let root = try decoder.container(keyedBy: Keys.self)
    // Read in another order than that of the text, and twice.
    var list = try root.nestedUnkeyedContainer(forKey: .rows)
    rows = []
    while !list.isAtEnd {
      var row = try list.nestedUnkeyedContainer()
      let name = try row.decode(String.self)
      var values: [Double] = []
      var inner = try row.nestedUnkeyedContainer()
      while !inner.isAtEnd { values.append(try inner.decode(Double.self)) }
      let end = try row.nestedContainer(keyedBy: RowKeys.self)
      rows.append(Row(name: name, values: values, flag: try end.decodeIfPresent(Bool.self, forKey: .flag)))
    }
    let address = try root.nestedContainer(keyedBy: AddressKeys.self, forKey: .address)
    street = try address.decode(String.self, forKey: .street)
    var numbers = try address.nestedUnkeyedContainer(forKey: .numbers)
    self.numbers = []
    while !numbers.isAtEnd {
      if try numbers.decodeNil() { continue }
      self.numbers.append(try numbers.decode(Int.self))
    }
    id = try root.contains(.id) ? decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .id) : -1
  }

  func encode(to encoder: any Swift.Encoder) throws {
    var root = encoder.container(keyedBy: Keys.self)
    try root.encode(id, forKey: .id)
    var address = root.nestedContainer(keyedBy: AddressKeys.self, forKey: .address)
    try address.encode(street, forKey: .street)
    var numbers = address.nestedUnkeyedContainer(forKey: .numbers)
    try numbers.encode(contentsOf: self.numbers)
    var list = root.nestedUnkeyedContainer(forKey: .rows)
    for row in rows {
      var nested = list.nestedUnkeyedContainer()
      try nested.encode(row.name)
      var values = nested.nestedUnkeyedContainer()
      for value in row.values { try values.encode(value) }
      var end = nested.nestedContainer(keyedBy: RowKeys.self)
      try end.encodeIfPresent(row.flag, forKey: .flag)
    }
  }
}

/// Any JSON value.
indirect enum Whatever: DifferentialModel {
  case null, bool(Bool), int(Int), double(Double), string(String), array([Whatever]), object([String: Whatever])

  init(sample random: inout RandomSource) {
    self.init(sample: &random, depth: 0)
  }

  private init(sample random: inout RandomSource, depth: Int) {
    switch random.below(depth > 2 ? 5 : 7) {
    case 0: self = .null
    case 1: self = .bool(random.bool())
    case 2: self = .int(random.integer())
    case 3: self = .double(Double(random.below(1000)) + 0.5)
    case 4: self = .string(random.text())
    case 5: self = .array(random.some(upTo: 3) { Whatever(sample: &$0, depth: depth + 1) })
    default:
      self = .object(Dictionary(random.some(upTo: 3) { ($0.text(), Whatever(sample: &$0, depth: depth + 1)) }) { $1 })
    }
  }

  init(from decoder: any Swift.Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let int = try? container.decode(Int.self) {
      self = .int(int)
    } else if let double = try? container.decode(Double.self) {
      self = .double(double)
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else if let array = try? container.decode([Whatever].self) {
      self = .array(array)
    } else {
      self = .object(try container.decode([String: Whatever].self))
    }
  }

  func encode(to encoder: any Swift.Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let bool): try container.encode(bool)
    case .int(let int): try container.encode(int)
    case .double(let double): try container.encode(double)
    case .string(let string): try container.encode(string)
    case .array(let array): try container.encode(array)
    case .object(let object): try container.encode(object)
    }
  }
}
