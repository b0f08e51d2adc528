import Testing

@testable import AnvilJSON

/// Numbers of up to 19 digits exactly halfway between two doubles. They round to the even one, as in the standard
/// library.
@Suite struct HalfwayNumberTests {
  @Test(arguments: [
    "57646075230342348.00", "5764607523034234800e-2", "9007199254740993.0", "9007199254740995.0",
    "90071992547409930e-1",
    "900719925474099500e-2", "4503599627370497.5", "4503599627370498.5", "2251799813685249.25", "2251799813685248.75",
    "1125899906842624.125", "1125899906842624.375",
  ])
  func knownHalfwayNumbersAreRoundedToTheEvenDouble(text: String) throws {
    #expect(try JSON(parsing: text).double == Double(text))
  }

  @Test func halfwayNumbersAreRoundedToTheEvenDouble() throws {
    var random = RandomSource(seed: 53)
    for _ in 0..<20_000 {
      let mantissa = UInt64.random(in: 1 << 52..<1 << 53, using: &random)
      // An odd number of 54 bits, which is between two doubles, times two to some power that leaves at most 19 digits.
      let halfway = 2 * mantissa + 1
      var texts: [String] = []
      let whole = halfway << UInt64.random(in: 0...8, using: &random)
      let room = 19 - String(whole).count
      let zeros = room == 0 ? 0 : Int.random(in: 0...room, using: &random)
      let padding = String(repeating: "0", count: zeros)
      texts += ["\(whole).\(padding)0", "\(whole)\(padding)e-\(zeros)", "\(whole)\(padding)0E-0\(zeros + 1)"]
      texts.append("\(halfway / 2).5")
      texts.append("\(halfway / 4).\(halfway % 4 == 1 ? "25" : "75")")
      for text in texts {
        let found = try JSON(parsing: text).double
        #expect(found?.bitPattern == Double(text)?.bitPattern, "\(text): \(String(describing: found))")
      }
    }
  }
}
