import Foundation
import Testing

@testable import AnvilCommands

/// The grammar, against Foundation's and against a list; pretty-printing, against a round trip.
struct JSONTextTests {
  @Test(arguments: [
    "0", "-0", "-0.5e-7", "1E+2", "1e400", "true", "false", "null", "\"\"", #""\"\\\/\b\f\n\r\t\u00Ff""#, "[]", "{}",
    " [ ] ", "[[],{}]", #"{"a":{"b":[1,2,{"c":null}]},"":0}"#, "\u{FEFF}[1]", "\"\u{7F}é😀\"", #""\ud800""#,
    "\t\r\n 1 \n",
  ])
  func acceptsWhatRFC8259Allows(text: String) throws {
    _ = try JSONText(Data(text.utf8))
  }

  @Test(arguments: [
    ("", "line 1, column 1: expected a value, found the end"),
    ("{", "line 1, column 2: expected a key in quotation marks, found the end"),
    ("[1,]", #"line 1, column 4: expected a value, found "]""#),
    (#"{"a":1,}"#, #"line 1, column 8: expected a key in quotation marks, found "}""#),
    (#"{"a" 1}"#, #"line 1, column 6: expected ":", found "1""#),
    ("[1 2]", #"line 1, column 4: expected "," or "]", found "2""#),
    ("[1}", #"line 1, column 3: expected "," or "]", found "}""#),
    ("01", #"line 1, column 2: expected the end, found "1""#),
    ("1.", "line 1, column 3: expected a digit, found the end"),
    ("-", "line 1, column 2: expected a digit, found the end"),
    ("+1", #"line 1, column 1: expected a value, found "+""#),
    ("1e+", "line 1, column 4: expected a digit, found the end"),
    ("nul", "line 1, column 4: expected null, found the end"),
    ("[\n  tru]", #"line 2, column 6: expected true, found "]""#),
    (#""é"#, "line 1, column 3: expected the string's closing quotation mark, found the end"),
    ("\"a\n\"", "line 1, column 3: a control character in a string"),
    (#""\x""#, #"line 1, column 3: expected an escape such as \n, found "x""#),
    (#""\u12"#, "line 1, column 6: expected a hexadecimal digit, found the end"),
    (#""\u12""#, #"line 1, column 6: expected a hexadecimal digit, found "\"""#),
    ("1\0", #"line 1, column 2: expected the end, found "\0""#),
  ])
  func refusesAndSaysWhere(text: String, message: String) {
    #expect {
      _ = try JSONText(Data(text.utf8))
    } throws: {
      "\($0)" == message
    }
  }

  @Test func refusesBytesThatAreNotUTF8() {
    #expect {
      _ = try JSONText(Data([0x22, 0x61, 0xFF, 0x22]))
    } throws: {
      "\($0)" == "line 1, column 3: not UTF-8"
    }
  }

  @Test(arguments: [(512, true), (513, false), (1_000_000, false)])
  func nestingHasALimit(depth: Int, isAccepted: Bool) {
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(((try? JSONText(Data(text.utf8))) != nil) == isAccepted)
  }

  @Test(arguments: [
    (#""a\u00e9\ud83d\ude00\n\"\\\/""#, "aé😀\n\"\\/"), (#""\ud800x""#, "\u{FFFD}x"), (#""""#, ""), (#""é""#, "é"),
  ])
  func stringsAreDecoded(text: String, decoded: String) throws {
    #expect(try JSONText(Data(text.utf8)).string == decoded)
  }

  /// Every change of one byte of a document is refused by both, or reads and prints as the value that Foundation reads.
  /// The one difference: Foundation lets a comma end an object or array.
  @Test func changedDocumentsAgreeWithFoundation() throws {
    let document = Array(#"{"a":[1,-2.5e1,"x\"\\\u0041",{}],"b":{"c":null,"d":[true,[]]}}"#.utf8)
    var accepted = 0
    for position in document.indices {
      for byte in #"{}[]":,\ 019-.eEntu/"#.utf8 + [0x00, 0x0A, 0x80, 0xFF] {
        var changed = document
        changed[position] = byte
        let value = foundation(Data(changed))
        guard let text = try? JSONText(Data(changed)) else {
          #expect(value == nil || String(decoding: changed, as: UTF8.self).contains(/, *[\]}]/))
          continue
        }
        accepted += 1
        #expect(value != nil)
        #expect(foundation(text.raw) == value)
        #expect(foundation(text.pretty) == value)
        #expect(try JSONText(text.pretty).pretty == text.pretty)
        #expect(try Set(text.members.map(\.key)) == Set(#require(value as? [String: NSObject]).keys))
      }
    }
    #expect(accepted > 100)
  }

  private func foundation(_ data: Data) -> NSObject? {
    try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) as? NSObject
  }
}
