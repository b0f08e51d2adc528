import AnvilJSON

/// Forty properties in one initialiser, read with all forms of the operators. It must type-check quickly.
struct WideModel: JSONDecodable, Equatable {
  let p0: Int
  let p1: String
  let p2: Bool
  let p3: Double
  let p4: Int?
  let p5: String?
  let p6: Bool?
  let p7: Double?
  let p8: Int?
  let p9: String?
  let p10: Bool?
  let p11: Double?
  let p12: Int
  let p13: String
  let p14: Bool
  let p15: Double
  let p16: Int?
  let p17: String?
  let p18: Bool?
  let p19: Double?
  let p20: Int
  let p21: String
  let p22: Bool
  let p23: Double
  let p24: Int?
  let p25: String?
  let p26: Bool?
  let p27: Double?
  let p28: Int?
  let p29: String?
  let p30: Bool?
  let p31: Double?
  let p32: Int
  let p33: String
  let p34: Bool
  let p35: Double
  let p36: Int?
  let p37: String?
  let p38: Bool?
  let p39: Double?

  static func decode(_ json: JSON) throws -> WideModel {
    try WideModel(
      p0: json => "p0",
      p1: json => "p1",
      p2: json => "p2",
      p3: json => "p3",
      p4: json =>? "p4",
      p5: json =>? "p5",
      p6: json =>? "p6",
      p7: json =>? "p7",
      p8: json => "p8",
      p9: json => "p9",
      p10: json => "p10",
      p11: json => "p11",
      p12: json => "n12" => "a" => 0,
      p13: json => "n13" => "a" => 0,
      p14: json => "n14" => "a" => 0,
      p15: json => "n15" => "a" => 0,
      p16: json =>? "o16" => "a",
      p17: json => "o17" =>? "a",
      p18: json =>? "o18" =>? "a" => "b",
      p19: json =>? ["o19", "a"],
      p20: json => "p20",
      p21: json => "p21",
      p22: json => "p22",
      p23: json => "p23",
      p24: json =>? "p24",
      p25: json =>? "p25",
      p26: json =>? "p26",
      p27: json =>? "p27",
      p28: json => "p28",
      p29: json => "p29",
      p30: json => "p30",
      p31: json => "p31",
      p32: json => "n32" => "a" => 0,
      p33: json => "n33" => "a" => 0,
      p34: json => "n34" => "a" => 0,
      p35: json => "n35" => "a" => 0,
      p36: json =>? "o36" => "a",
      p37: json => "o37" =>? "a",
      p38: json =>? "o38" =>? "a" => "b",
      p39: json =>? ["o39", "a"]
    )
  }

  static let text = """
    {
      "p0": 0,
      "p1": "s1",
      "p2": true,
      "p3": 3.5,
      "p4": 4,
      "p6": true,
      "p8": null,
      "p9": null,
      "p10": null,
      "p11": null,
      "n12": {"a": [12]},
      "n13": {"a": ["s13"]},
      "n14": {"a": [true]},
      "n15": {"a": [15.5]},
      "o16": {"a": 16},
      "o17": {},
      "o19": {"a": 19.5},
      "p20": 20,
      "p21": "s21",
      "p22": true,
      "p23": 23.5,
      "p24": 24,
      "p26": true,
      "p28": null,
      "p29": null,
      "p30": null,
      "p31": null,
      "n32": {"a": [32]},
      "n33": {"a": ["s33"]},
      "n34": {"a": [true]},
      "n35": {"a": [35.5]},
      "o36": {"a": 36},
      "o37": {},
      "o39": {"a": 39.5}
    }
    """

  static let expected = WideModel(
    p0: 0,
    p1: "s1",
    p2: true,
    p3: 3.5,
    p4: 4,
    p5: nil,
    p6: true,
    p7: nil,
    p8: nil,
    p9: nil,
    p10: nil,
    p11: nil,
    p12: 12,
    p13: "s13",
    p14: true,
    p15: 15.5,
    p16: 16,
    p17: nil,
    p18: nil,
    p19: 19.5,
    p20: 20,
    p21: "s21",
    p22: true,
    p23: 23.5,
    p24: 24,
    p25: nil,
    p26: true,
    p27: nil,
    p28: nil,
    p29: nil,
    p30: nil,
    p31: nil,
    p32: 32,
    p33: "s33",
    p34: true,
    p35: 35.5,
    p36: 36,
    p37: nil,
    p38: nil,
    p39: 39.5
  )
}
