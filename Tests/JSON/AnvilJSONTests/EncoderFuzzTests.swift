import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilJSON

/// Seeded random values and random programs of container calls, the same for both encoders.
@Suite struct EncoderFuzzTests {
  typealias AnyKey = EncoderTests.AnyKey

  struct Failure: Error {}

  /// Encodes by running a random program that depends only on the seed.
  struct Program: Encodable {
    var seed: UInt64
    var depth: Int

    func encode(to encoder: any Swift.Encoder) throws {
      var random = RandomSource(seed: seed)
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        var single = encoder.singleValueContainer()
        try single.encode(Int.random(in: -1000...1000, using: &random))
      case 1:
        var single = encoder.singleValueContainer()
        try single.encode(Program(seed: random.next(), depth: depth + 1))
      case 2 where depth > 0: break
      case 3 where depth > 0: throw Failure()
      case 4:
        var run = Run(list: encoder.unkeyedContainer())
        try run.play(&random, depth)
      default:
        var run = Run(object: encoder.container(keyedBy: AnyKey.self))
        try run.play(&random, depth)
      }
    }
  }

  enum Kind { case object, array, other }

  /// The containers of a program and their known contents.
  struct Run {
    var objects: [KeyedEncodingContainer<AnyKey>] = []
    /// The value at each object's number and key, with the number of the container if it is one.
    var members: [[String: (kind: Kind, number: Int?)]] = []
    var lists: [any UnkeyedEncodingContainer] = []

    init(object: KeyedEncodingContainer<AnyKey>) {
      objects = [object]
      members = [[:]]
    }

    init(list: any UnkeyedEncodingContainer) { lists = [list] }

    mutating func play(_ random: inout RandomSource, _ depth: Int) throws {
      for _ in 0..<Int.random(in: 0...14, using: &random) {
        let choice = Int.random(in: 0..<objects.count + lists.count, using: &random)
        if choice < objects.count {
          try writeMember(choice, &random, depth)
        } else {
          try writeElement(choice - objects.count, &random, depth)
        }
      }
    }

    private mutating func writeMember(_ number: Int, _ random: inout RandomSource, _ depth: Int) throws {
      let name = ["a", "b", "c/", "\"d\"", "a long key, longer than a vector", ""].randomElement(using: &random) ?? ""
      let key = AnyKey(name)
      switch Int.random(in: 0..<9, using: &random) {
      case 0: try objects[number].encodeNil(forKey: key)
      case 1: try objects[number].encode(Double.random(in: -10...10, using: &random), forKey: key)
      case 2: try objects[number].encode("t\n\(random.next())", forKey: key)
      case 3: try objects[number].encode([[1], [], [Int(truncatingIfNeeded: random.next())]], forKey: key)
      case 4 where depth < 4:
        let program = Program(seed: random.next(), depth: depth + 1)
        guard (try? objects[number].encode(program, forKey: key)) != nil else { return }
      case 5 where depth < 4:
        try? Program(seed: random.next(), depth: 4).encode(to: objects[number].superEncoder(forKey: key))
      case 6:
        guard members[number][name].map({ $0.kind == .array }) ?? true else { return }
        lists.append(objects[number].nestedUnkeyedContainer(forKey: key))
        members[number][name] = (.array, nil)
        return
      default:
        let present = members[number][name]
        guard present.map({ $0.kind == .object }) ?? true else { return }
        let object = objects[number].nestedContainer(keyedBy: AnyKey.self, forKey: key)
        // The contents of an existing container are found by its number.
        guard present?.number == nil else { return }
        objects.append(object)
        members.append([:])
        members[number][name] = (.object, objects.count - 1)
        return
      }
      members[number][name] = (.other, nil)
    }

    private mutating func writeElement(_ number: Int, _ random: inout RandomSource, _ depth: Int) throws {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: try lists[number].encodeNil()
      case 1: try lists[number].encode("e/\(lists[number].count)")
      case 2: try lists[number].encode(["x": ["y": 1.5]])
      case 3 where depth < 4: try? lists[number].encode(Program(seed: random.next(), depth: depth + 1))
      case 4 where depth < 4: try? Program(seed: random.next(), depth: 4).encode(to: lists[number].superEncoder())
      case 5: lists.append(lists[number].nestedUnkeyedContainer())
      case 6:
        objects.append(lists[number].nestedContainer(keyedBy: AnyKey.self))
        members.append([:])
      default: try lists[number].encode(true)
      }
    }
  }

  @Test func randomEncodingStepsEncodeAsFoundationDoes() {
    for seed in 0..<UInt64(rounds(800)) { EncoderOracle.expectSame(Program(seed: seed, depth: 0)) }
  }

  private func expectSameOfSamples<Model: DifferentialModel>(_ type: Model.Type) throws {
    var random = RandomSource(seed: 77)
    for number in 0..<rounds(100) {
      let value = Model(sample: &random)
      EncoderOracle.expectSame(value) { theirs, ours in
        guard number % 2 == 0 else { return }
        theirs.keyEncodingStrategy = .convertToSnakeCase
        ours.keyEncodingStrategy = .convertToSnakeCase
        theirs.dateEncodingStrategy = .millisecondsSince1970
        ours.dateEncodingStrategy = .millisecondsSince1970
      }
      #expect(try JSON.Decoder().decode(type, from: JSON.Encoder().encode(value)) == value)
    }
  }

  @Test func samplesEncodeAsFoundationDoesAndRoundTrip() throws {
    try expectSameOfSamples(Scalars.self)
    try expectSameOfSamples(Nested.self)
    try expectSameOfSamples(Branch.self)
    try expectSameOfSamples(CamelCase.self)
    try expectSameOfSamples(FoundationValues.self)
  }
}
