/// A type that both coders read and write, with random values.
protocol DifferentialModel: Codable, Equatable, SendableMetatype {
  init(sample random: inout RandomSource)
}

/// Every scalar.
struct Scalars: DifferentialModel {
  var bool: Bool
  var string: String
  var double: Double
  var float: Float
  var int: Int, int8: Int8, int16: Int16, int32: Int32, int64: Int64, int128: Int128
  var uint: UInt, uint8: UInt8, uint16: UInt16, uint32: UInt32, uint64: UInt64, uint128: UInt128
}

/// Scalars that may be absent or null.
struct Optionals: DifferentialModel {
  var bool: Bool?
  var string: String?
  var double: Double?
  var float: Float?
  var int: Int?
  var uint8: UInt8?
  var int64: Int64?
  var list: [Int?]?
  var dictionary: [String: String?]?
}

/// Nested objects and arrays, as in an API's response.
struct Nested: DifferentialModel {
  struct Place: DifferentialModel {
    var street: String
    var zip: Int?
  }

  var id: Int
  var name: String
  var score: Double
  var isAdmin: Bool
  var tags: [String]
  var home: Place
  var former: [Place]?
  var scores: [String: [Double]]
  var places: [String: Place]
  var grid: [[Int]]
}

/// A recursive type.
struct Branch: DifferentialModel {
  var label: String
  var leaves: [Branch]
  var named: [String: Branch]?
}

/// Keys that the strategies for keys convert.
struct CamelCase: DifferentialModel {
  var userName: String
  var aB: Int
  var urlString: String?
  var already_snake: Bool?
  var _leading: Int?
  var innerValues: [String: Inner]

  struct Inner: DifferentialModel {
    var oneTwo: Int
    init(sample random: inout RandomSource) { oneTwo = random.integer() }
  }

  init(sample random: inout RandomSource) {
    userName = random.text()
    aB = random.integer()
    urlString = random.maybe { $0.text() }
    already_snake = random.maybe { $0.bool() }
    _leading = random.maybe { $0.integer() }
    innerValues = Dictionary(random.some(upTo: 2) { ($0.pick(["aKey", "b_key", "c"]), Inner(sample: &$0)) }) { $1 }
  }
}

/// Random values, made without replacing the memberwise initialisers.
extension Scalars {
  init(sample random: inout RandomSource) {
    bool = random.bool()
    string = random.text()
    double = random.double()
    float = Float(random.below(100_000)) / 8
    int = random.integer()
    int8 = random.integer()
    int16 = random.integer()
    int32 = random.integer()
    int64 = random.integer()
    int128 = Int128(random.integer(Int64.self)) * (random.bool() ? 1 : 1 << 40)
    uint = random.integer()
    uint8 = random.integer()
    uint16 = random.integer()
    uint32 = random.integer()
    uint64 = random.integer()
    uint128 = UInt128(random.integer(UInt64.self)) << (random.bool() ? 0 : 50)
  }
}

extension Optionals {
  init(sample random: inout RandomSource) {
    bool = random.maybe { $0.bool() }
    string = random.maybe { $0.text() }
    double = random.maybe { $0.double() }
    float = random.maybe { Float($0.below(1000)) / 4 }
    int = random.maybe { $0.integer() }
    uint8 = random.maybe { $0.integer() }
    int64 = random.maybe { $0.integer() }
    list = random.maybe { $0.some(upTo: 3) { $0.maybe { $0.integer() } } }
    dictionary = random.maybe { Dictionary($0.some(upTo: 2) { ($0.text(), $0.maybe { $0.text() }) }) { $1 } }
  }
}

extension Nested.Place {
  init(sample random: inout RandomSource) {
    street = random.text()
    zip = random.maybe { $0.integer() }
  }
}

extension Nested {
  init(sample random: inout RandomSource) {
    id = random.integer()
    name = random.text()
    score = random.double()
    isAdmin = random.bool()
    tags = random.some(upTo: 3) { $0.text() }
    home = Place(sample: &random)
    former = random.maybe { $0.some(upTo: 2) { Place(sample: &$0) } }
    scores = Dictionary(random.some(upTo: 2) { ($0.text(), $0.some(upTo: 3) { $0.double() }) }) { $1 }
    places = Dictionary(random.some(upTo: 2) { ($0.text(), Place(sample: &$0)) }) { $1 }
    grid = random.some(upTo: 2) { $0.some(upTo: 3) { $0.integer() } }
  }
}

extension Branch {
  init(sample random: inout RandomSource) {
    self.init(sample: &random, depth: 0)
  }

  private init(sample random: inout RandomSource, depth: Int) {
    label = random.text()
    leaves = depth > 2 ? [] : random.some(upTo: 2) { Branch(sample: &$0, depth: depth + 1) }
    named = depth > 1 ? nil : random.maybe { ["k\(depth)": Branch(sample: &$0, depth: depth + 2)] }
  }
}
