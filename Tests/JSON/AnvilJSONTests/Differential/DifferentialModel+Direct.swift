import AnvilJSON

/// A type that also reads and writes itself in one pass.
protocol DirectModel: DifferentialModel, JSONReadable, JSONWritable {}

extension Nested.Place: DirectModel {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Nested.Place {
    var street: String?
    var zip: Int??
    try reader.beginObject()
    repeat {
      try reader.read("street", into: &street)
      try reader.read("zip", into: &zip)
    } while try reader.hasMoreMembers()
    return try Nested.Place(street: reader.require(street, "street"), zip: zip ?? nil)
  }

  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("street", street)
      members.write("zip", ifPresent: zip)
    }
  }
}

extension Nested: DirectModel {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Nested {
    var id: Int?
    var name: String?
    var score: Double?
    var isAdmin: Bool?
    var tags: [String]?
    var home: Place?
    var former: [Place]??
    var scores: [String: [Double]]?
    var places: [String: Place]?
    var grid: [[Int]]?
    try reader.beginObject()
    repeat {
      try reader.read("id", into: &id)
      try reader.read("name", into: &name)
      try reader.read("score", into: &score)
      try reader.read("isAdmin", into: &isAdmin)
      try reader.read("tags", into: &tags)
      try reader.read("home", into: &home)
      try reader.read("former", into: &former)
      try reader.read("scores", into: &scores)
      try reader.read("places", into: &places)
      try reader.read("grid", into: &grid)
    } while try reader.hasMoreMembers()
    return try Nested(
      id: reader.require(id, "id"), name: reader.require(name, "name"), score: reader.require(score, "score"),
      isAdmin: reader.require(isAdmin, "isAdmin"), tags: reader.require(tags, "tags"),
      home: reader.require(home, "home"), former: former ?? nil, scores: reader.require(scores, "scores"),
      places: reader.require(places, "places"), grid: reader.require(grid, "grid"))
  }

  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("id", id)
      members.write("name", name)
      members.write("score", score)
      members.write("isAdmin", isAdmin)
      members.write("tags", tags)
      members.write("home", home)
      members.write("former", ifPresent: former)
      members.write("scores", scores)
      members.write("places", places)
      members.write("grid", grid)
    }
  }
}

extension Optionals: DirectModel {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Optionals {
    var bool: Bool??
    var string: String??
    var double: Double??
    var float: Float??
    var int: Int??
    var uint8: UInt8??
    var int64: Int64??
    var list: [Int?]??
    var dictionary: [String: String?]??
    try reader.beginObject()
    repeat {
      try reader.read("bool", into: &bool)
      try reader.read("string", into: &string)
      try reader.read("double", into: &double)
      try reader.read("float", into: &float)
      try reader.read("int", into: &int)
      try reader.read("uint8", into: &uint8)
      try reader.read("int64", into: &int64)
      try reader.read("list", into: &list)
      try reader.read("dictionary", into: &dictionary)
    } while try reader.hasMoreMembers()
    return Optionals(
      bool: bool ?? nil, string: string ?? nil, double: double ?? nil, float: float ?? nil, int: int ?? nil,
      uint8: uint8 ?? nil, int64: int64 ?? nil, list: list ?? nil, dictionary: dictionary ?? nil)
  }

  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("bool", ifPresent: bool)
      members.write("string", ifPresent: string)
      members.write("double", ifPresent: double)
      members.write("float", ifPresent: float)
      members.write("int", ifPresent: int)
      members.write("uint8", ifPresent: uint8)
      members.write("int64", ifPresent: int64)
      members.write("list", ifPresent: list)
      members.write("dictionary", ifPresent: dictionary)
    }
  }
}

extension Branch: DirectModel {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Branch {
    var label: String?
    var leaves: [Branch]?
    var named: [String: Branch]??
    try reader.beginObject()
    repeat {
      try reader.read("label", into: &label)
      try reader.read("leaves", into: &leaves)
      try reader.read("named", into: &named)
    } while try reader.hasMoreMembers()
    return try Branch(
      label: reader.require(label, "label"), leaves: reader.require(leaves, "leaves"), named: named ?? nil)
  }

  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("label", label)
      members.write("leaves", leaves)
      members.write("named", ifPresent: named)
    }
  }
}
