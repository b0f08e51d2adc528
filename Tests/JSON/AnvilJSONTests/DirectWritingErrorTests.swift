import Foundation
import Testing

@testable import AnvilJSON

/// Values that cannot be written, and incorrect calls of the writer.
@Suite struct DirectWritingErrorTests {
  private static func failure<Value: JSONWritable>(_ value: Value) -> String {
    do {
      return String(decoding: try JSON.write(value), as: UTF8.self)
    } catch {
      return "\(error)"
    }
  }

  @Test func numbersThatAreNotFiniteFailWithTheirPath() {
    let expected = "WritingError at object: number that is not finite"
    #expect(Self.failure(Double.nan) == expected)
    #expect(Self.failure(-Double.infinity) == expected)
    #expect(Self.failure(Float.infinity) == expected)
    #expect(Self.failure(Decimal.nan) == expected)
    #expect(Self.failure(Date(timeIntervalSince1970: .infinity)) == expected)
    #expect(Self.failure([1, 2, Double.nan]) == "WritingError at object[2]: number that is not finite")
    #expect(Self.failure([[[1.5], [], [.infinity]]]) == "WritingError at object[0][2][0]: number that is not finite")
    #expect(
      Self.failure(["a\"]": [["x,[": Double.nan]]])
        == "WritingError at object[\"a\\\"]\"][0][\"x,[\"]: number that is not finite"
    )
  }

  @Test func firstFailureIsThrown() {
    #expect(Self.failure([[0, .nan], [.infinity]]) == "WritingError at object[0][1]: number that is not finite")
  }

  @Test(arguments: [253_402_300_800, -62_167_219_201, 1e300, -1e300])
  func datesOutOfFourDigitYearsFail(seconds: Double) {
    #expect(
      Self.failure([Date(timeIntervalSince1970: seconds)])
        == "WritingError at object[0]: date that is not in the years 0 to 9999")
  }

  /// Writes by calling the given closure.
  struct Misuse: JSONWritable {
    var write: @Sendable (inout JSON.Writer) -> Void

    func write(to writer: inout JSON.Writer) { write(&writer) }
  }

  struct Holder: JSONWritable {
    var before = 1
    var value: Misuse
    var after = "x"

    func write(to writer: inout JSON.Writer) {
      writer.object { members in
        members.write("before", before)
        members.write("value", value)
        members.write("after", after)
      }
    }
  }

  @Test func aTypeThatWritesNothingFails() {
    let nothing = Misuse { _ in }
    #expect(Self.failure(nothing) == "WritingError at object: no value was written")
    #expect(Self.failure([nothing]) == "WritingError at object[0]: no value was written")
    #expect(Self.failure(Holder(value: nothing)) == "WritingError at object.value: no value was written")
    #expect(Self.failure(["k": [1: nothing][1]]) == "WritingError at object.k: no value was written")
  }

  @Test(
    arguments: [
      Misuse { writer in
        writer.write(1)
        writer.write(2)
      },
      Misuse { writer in
        writer.writeNull()
        writer.writeNull()
      },
      Misuse { writer in
        writer.object { $0.write("a", 1) }
        writer.object { $0.write("a", 1) }
      },
      Misuse { writer in
        writer.array { _ in }
        writer.write("s")
      },
      Misuse { writer in
        writer.write([1])
        writer.write(1.5)
        writer.write(true)
        writer.array { $0.write(1) }
      },
    ])
  func aTypeThatWritesTwiceFails(misuse: Misuse) {
    #expect(Self.failure(misuse) == "WritingError at object: more than one value was written")
    #expect(Self.failure([misuse, misuse]) == "WritingError at object[0]: more than one value was written")
    #expect(Self.failure(Holder(value: misuse)) == "WritingError at object.value: more than one value was written")
  }

  @Test func typesCanFailWithTheirOwnReason() {
    let refusing = Misuse { $0.fail("no such colour") }
    #expect(Self.failure(refusing) == "WritingError at object: no such colour")
    #expect(Self.failure([1: refusing].values.map { [$0] }) == "WritingError at object[0][0]: no such colour")
    #expect(Self.failure(Holder(value: refusing)) == "WritingError at object.value: no such colour")
    let late = Misuse { writer in
      writer.write(1)
      writer.fail("too late")
    }
    #expect(Self.failure([late]) == "WritingError at object[0]: too late")
  }

  @Test func misuseOfTheWriterNeverWritesMalformedText() throws {
    var random = RandomSource(seed: 31)
    var written = 0
    for _ in 0..<3000 {
      let seed = random.next()
      let chaotic = Misuse { writer in
        var random = RandomSource(seed: seed)
        Self.doAnything(&writer, &random, depth: 0)
      }
      guard let data = try? JSON.write(Holder(value: chaotic)) else { continue }
      written += 1
      #expect(throws: Never.self) { try JSON(parsing: data) }
    }
    #expect(written > 300)
  }

  private static func doAnything(_ writer: inout JSON.Writer, _ random: inout RandomSource, depth: Int) {
    for _ in 0..<(Int.random(in: 0..<10, using: &random) < 8 ? 1 : Int.random(in: 0...3, using: &random)) {
      switch Int.random(in: 0..<(depth < 4 ? 8 : 5), using: &random) {
      case 0: writer.write(Int.random(in: -1000...1000, using: &random))
      case 1: writer.write("a\"\n")
      case 2: writer.writeNull()
      case 3: writer.write(0.25)
      case 4: writer.write([1, 2])
      case 5:
        let count = Int.random(in: 0...3, using: &random)
        let seed = random.next()
        writer.object { members in
          var random = RandomSource(seed: seed)
          for _ in 0..<count {
            let seed = random.next()
            members.write(
              "k",
              Misuse { writer in
                var random = RandomSource(seed: seed)
                doAnything(&writer, &random, depth: depth + 1)
              })
          }
        }
      case 6:
        let seed = random.next()
        writer.array { elements in
          elements.write(
            Misuse { writer in
              var random = RandomSource(seed: seed)
              doAnything(&writer, &random, depth: depth + 1)
            })
          elements.array { $0.write(JSON.null) }
        }
      default:
        let seed = random.next()
        writer.write(
          Misuse { writer in
            var random = RandomSource(seed: seed)
            doAnything(&writer, &random, depth: depth + 1)
          })
      }
    }
  }

  /// A linked list of nested objects or arrays.
  final class Node: JSONWritable {
    var next: Node?
    var other: Node?
    let isArray: Bool

    init(isArray: Bool, next: Node? = nil) {
      self.isArray = isArray
      self.next = next
    }

    func write(to writer: inout JSON.Writer) {
      if isArray {
        writer.array { elements in
          if let next { elements.write(next) }
          if let other { elements.write(other) }
        }
      } else {
        writer.object { members in
          members.write("n", ifPresent: next)
          members.write("o", ifPresent: other)
        }
      }
    }
  }

  @Test(arguments: [false, true])
  func depthLimitIsThatOfTheParser(isArray: Bool) throws {
    var node = Node(isArray: isArray)
    for _ in 1..<512 { node = Node(isArray: isArray, next: node) }
    #expect(throws: Never.self) { try JSON(parsing: JSON.write(node)) }
    let path = isArray ? String(repeating: "[0]", count: 512) : String(repeating: ".n", count: 512)
    #expect(
      Self.failure(Node(isArray: isArray, next: node))
        == "WritingError at object\(path): more than 512 nested containers")
  }

  @Test func cyclicValuesFailQuickly() {
    let node = Node(isArray: true)
    node.next = node
    node.other = node
    defer {
      node.next = nil
      node.other = nil
    }
    #expect(Self.failure(node).hasSuffix("more than 512 nested containers"))
  }
}
