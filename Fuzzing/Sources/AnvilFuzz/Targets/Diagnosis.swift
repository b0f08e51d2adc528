import AnvilDiagnosis
import AnvilJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FuzzTarget {
  private struct Person: Decodable {
    enum Role: String, Decodable { case admin, guest }

    var id: Int
    var name: String
    var role: Role?
    var address: Address?
    var friends: [Person]?
    var scores: [String: Double]?
    var seen: Date?
  }

  private struct Address: Decodable {
    var street: String
    var zip: UInt16
  }

  /// Diagnoses of any text: places within it, nothing that moves a terminal's cursor, and no value where values are redacted.
  static let diagnosis = FuzzTarget(name: "diagnosis", repeated: .elements) { bytes in
    let data = Data(bytes)
    let decoder = JSON.Decoder()
    // Rendering takes far longer than decoding: the length of the input chooses one type and one width.
    let width = [0, 40, 100][bytes.count / 3 % 3]
    switch bytes.count % 3 {
    case 0: check(of: data, width) { _ = try decoder.decodeAll([Person].self, from: data, problemLimit: 20) }
    case 1: check(of: data, width) { _ = try decoder.decodeAll(Person.self, from: data, problemLimit: 20) }
    default:
      check(of: data, width) {
        do {
          _ = try decoder.decode([String: Person].self, from: data)
        } catch {
          throw JSON.Diagnosis(error, in: data)
        }
      }
    }
  } growth: { bytes in
    let data = Data(bytes)
    do {
      _ = try JSON.Decoder().decodeAll([Person].self, from: data, problemLimit: 20)
    } catch let diagnosis as JSON.Diagnosis {
      _ = diagnosis.rendered(.init(values: .shown, width: 100, problemLimit: 5))
      _ = diagnosis.json(.redacted).serializedData()
      _ = diagnosis.line
    } catch {
      require(false, "an error that is no diagnosis: \(error)")
    }
  }

  private static func check(of data: Data, _ width: Int, _ decode: () throws -> Void) {
    do {
      try decode()
    } catch let diagnosis as JSON.Diagnosis {
      require(!diagnosis.problems.isEmpty, "no problem")
      for problem in diagnosis.problems {
        let range = problem.location.range
        require(range.lowerBound >= 0 && range.upperBound <= data.count, "\(range) of \(data.count) bytes")
        require(problem.location.line >= 1 && problem.location.column >= 1, "\(problem.location)")
      }
      for values in [.redacted, .shown] as [JSON.Diagnosis.Style.Values] {
        let text = diagnosis.rendered(.init(values: values, width: width, problemLimit: 5))
        require(!text.isEmpty && text.unicodeScalars.allSatisfy(isHarmless), "rendered as \(text.debugDescription)")
      }
      _ = diagnosis.rendered(.init(values: .shown, colors: .ansi))
      _ = diagnosis.json(.shown).serializedData()
      require(diagnosis.line.unicodeScalars.allSatisfy { $0 != "\n" && isHarmless($0) }, "the line \(diagnosis.line)")
      checkValues(
        of: data,
        in: [diagnosis.description, diagnosis.line, String(decoding: diagnosis.json().serializedData(), as: UTF8.self)])
    } catch {
      require(false, "an error that is no diagnosis: \(error)")
    }
  }

  /// A line feed, or what is neither a control character nor changes the direction of text.
  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A: true
    case ..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: false
    default: true
    }
  }

  /// Texts of the document of more than a few letters are not in what is safe to log, unless they are keys, too.
  private static func checkValues(of data: Data, in texts: [String]) {
    guard let json = try? JSON(parsing: data) else { return }
    var strings: [String] = []
    var keys = ""
    var pending = [json]
    while let value = pending.popLast() {
      if let string = value.string, string.utf8.count >= 6, string.utf8.allSatisfy({ $0 &- 0x61 < 26 }) {
        strings.append(string)
      }
      for (key, member) in value.members {
        keys += "\(key) "
        pending.append(member)
      }
      pending += value.elements
    }
    for string in strings where !keys.contains(string) && !words.contains(string) {
      for text in texts { require(!text.contains(string), "\(string) is shown in \(text)") }
    }
  }

  /// The fixed words of diagnoses.
  private static let words = """
    problem problems decoding expected found person address missing value string number object array null true false double
    dictionary friends street scores admin guest redacted text offset column line hint unexpected needs one more looked for
    """
}
