import AnvilDiagnosis
import AnvilJSON

/// Thirty properties in one expression, which must type-check quickly.
struct WideFields: JSONDecodable, Equatable {
  var p0: Int
  var p1: String
  var p2: Bool
  var p3: Double
  var p4: Int?
  var p5: String?
  var p6: [Int]
  var p7: [String: Int]?
  var p8: Double?
  var p9: Bool?
  var p10: Int
  var p11: String
  var p12: Bool
  var p13: Double
  var p14: Int?
  var p15: String?
  var p16: [Int]
  var p17: [String: Int]?
  var p18: Double?
  var p19: Bool?
  var p20: Int
  var p21: String
  var p22: Bool
  var p23: Double
  var p24: Int?
  var p25: String?
  var p26: [Int]
  var p27: [String: Int]?
  var p28: Double?
  var p29: Bool?

  static func decode(_ json: JSON) throws -> WideFields {
    let fields = json.fields
    return try fields.combine(
      fields ==> "n" => "p0",
      fields ==> "p1",
      fields ==> "p2",
      fields ==> "p3",
      fields ==>? "p4",
      fields ==>? "p5",
      fields ==> "p6",
      fields ==>? "p7",
      fields ==>? "p8",
      fields ==>? "n" => "p9",
      fields ==> "p10",
      fields ==> "p11",
      fields ==> "n" => "p12",
      fields ==> "p13",
      fields ==>? "p14",
      fields ==>? "n" => "p15",
      fields ==> "n" => "p16",
      fields ==>? "p17",
      fields ==>? "n" => "p18",
      fields ==>? "p19",
      fields ==> "n" => "p20",
      fields ==> "p21",
      fields ==> "p22",
      fields ==> "p23",
      fields ==>? "n" => "p24",
      fields ==>? "p25",
      fields ==> "p26",
      fields ==>? "n" => "p27",
      fields ==>? "p28",
      fields ==>? "p29",
      into: WideFields.init)
  }
}
