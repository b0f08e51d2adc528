import Testing

@testable import AnvilJSON

private struct Refusal: Error {}

/// Makes random calls of every kind, including invalid ones, and records the numbers that the document must contain.
private struct RandomWriter {
  var random: RandomSource
  var lastNumber = 0

  mutating func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func path() -> JSON.Path {
    let steps: [JSON.Path] = (0..<int(0..<4)).map { _ in
      int(0..<4) == 0 ? JSON.Path(int(-1..<3)) : JSON.Path(["a", "b", "c", "é", ""][int(0..<5)])
    }
    return steps.reduce(JSON.Path()) { $0.appending($1) }
  }

  /// Writes to the place and returns the written numbers in order.
  mutating func write(to json: inout JSON.Builder, depth: Int) throws -> [Int] {
    var written: [Int] = []
    for _ in 0..<int(0..<20) {
      // A call that throws is undone, whether the error is caught here or by an outer call.
      let catches = int(0..<20) != 0
      do {
        written += try writeOnce(to: &json, depth: depth)
      } catch {
        if !catches { throw error }
      }
    }
    if int(0..<12) == 0 { throw Refusal() }
    return written
  }

  private mutating func writeOnce(to json: inout JSON.Builder, depth: Int) throws -> [Int] {
    lastNumber += 1
    let number = lastNumber
    let path = path()
    switch int(0..<(depth > 0 ? 8 : 5)) {
    case 0: try json.write(number, at: path)
    case 1: try json.append(number)
    case 2: try json.write([number, number], at: path)
    case 3:
      try json.write(ifPresent: Int?.none, at: path)
      return []
    case 4:
      try json.write(Double.nan, at: path)
      return []
    case 5:
      var inner: [Int] = []
      try json.write(at: path) { inner = try write(to: &$0, depth: depth - 1) }
      return inner
    case 6:
      var inner: [Int] = []
      try json.append { inner = try write(to: &$0, depth: depth - 1) }
      return inner
    default:
      try json.write(number)
    }
    // A number may be in the document twice, as the elements of an array of two. The check below accounts for it.
    return [number]
  }
}

@Suite struct BuilderFuzzTests {
  /// The numbers of the document in its order, each once.
  private func numbers(_ json: JSON) -> [Int] {
    var numbers: [Int] = []
    var traversal = Traversal(json, order: .document)
    while let event = traversal.next() {
      guard case .scalar(let index) = event, let number = JSON(json.document, at: index).int else { continue }
      if numbers.last != number { numbers.append(number) }
    }
    return numbers
  }

  @Test func randomWritesProduceTheExpectedDocument() throws {
    struct Writing: JSONEncodable {
      let body: (inout JSON.Builder) throws -> Void
      func encode(into json: inout JSON.Builder) throws { try body(&json) }
    }
    var longest = 0
    var documents = 0
    for seed in 0..<3000 {
      var writer = RandomWriter(random: RandomSource(seed: UInt64(seed)))
      var written: [Int] = []
      guard let json = try? JSON(encoding: Writing { written = try writer.write(to: &$0, depth: 4) }) else { continue }
      #expect(numbers(json) == written, "\(seed): \(json)")
      #expect(try JSON(parsing: json.serialized()) == json, "\(seed): \(json)")
      #expect(json.document.tape[0].span == json.document.wordCount)
      longest = max(longest, written.count)
      documents += 1
    }
    #expect(longest > 20)
    #expect(documents > 1000)
  }
}
