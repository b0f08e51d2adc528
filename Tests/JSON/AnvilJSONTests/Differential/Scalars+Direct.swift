import AnvilJSON

extension Scalars: DirectModel {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Scalars {
    var bool: Bool?
    var string: String?
    var double: Double?
    var float: Float?
    var int: Int?
    var int8: Int8?
    var int16: Int16?
    var int32: Int32?
    var int64: Int64?
    var int128: Int128?
    var uint: UInt?
    var uint8: UInt8?
    var uint16: UInt16?
    var uint32: UInt32?
    var uint64: UInt64?
    var uint128: UInt128?
    try reader.beginObject()
    repeat {
      try reader.read("bool", into: &bool)
      try reader.read("string", into: &string)
      try reader.read("double", into: &double)
      try reader.read("float", into: &float)
      try reader.read("int", into: &int)
      try reader.read("int8", into: &int8)
      try reader.read("int16", into: &int16)
      try reader.read("int32", into: &int32)
      try reader.read("int64", into: &int64)
      try reader.read("int128", into: &int128)
      try reader.read("uint", into: &uint)
      try reader.read("uint8", into: &uint8)
      try reader.read("uint16", into: &uint16)
      try reader.read("uint32", into: &uint32)
      try reader.read("uint64", into: &uint64)
      try reader.read("uint128", into: &uint128)
    } while try reader.hasMoreMembers()
    return try Scalars(
      bool: reader.require(bool, "bool"), string: reader.require(string, "string"),
      double: reader.require(double, "double"), float: reader.require(float, "float"),
      int: reader.require(int, "int"), int8: reader.require(int8, "int8"),
      int16: reader.require(int16, "int16"), int32: reader.require(int32, "int32"),
      int64: reader.require(int64, "int64"), int128: reader.require(int128, "int128"),
      uint: reader.require(uint, "uint"), uint8: reader.require(uint8, "uint8"),
      uint16: reader.require(uint16, "uint16"), uint32: reader.require(uint32, "uint32"),
      uint64: reader.require(uint64, "uint64"), uint128: reader.require(uint128, "uint128"))
  }

  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("bool", bool)
      members.write("string", string)
      members.write("double", double)
      members.write("float", float)
      members.write("int", int)
      members.write("int8", int8)
      members.write("int16", int16)
      members.write("int32", int32)
      members.write("int64", int64)
      members.write("int128", int128)
      members.write("uint", uint)
      members.write("uint8", uint8)
      members.write("uint16", uint16)
      members.write("uint32", uint32)
      members.write("uint64", uint64)
      members.write("uint128", uint128)
    }
  }
}
