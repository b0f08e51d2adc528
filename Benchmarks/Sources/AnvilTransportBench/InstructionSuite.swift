import Foundation
import Rounds

/// The instructions that each road executes for one request, on all threads, outside the kernel.
struct InstructionSuite {
  let load: Load
  let contenders: [Contender]
  let requestCount: Int
  let counter: InstructionCounter

  func run() throws {
    for contender in contenders where contender.isOurs {
      print("\n\(contender.name), \(load.title): instructions for one request, and the ratio to \(Road.transport.name)")
      var base: Double?
      for road in Road.allCases {
        let count = try counter.perRepetition(requestCount) {
          ["requests", "\($0)", contender.rawValue, road.rawValue] + load.arguments
        }
        base = base ?? count
        let name = road.name.padding(toLength: 25, withPad: " ", startingAt: 0)
        print(name + String(format: "%10.0f%8.2f", count, count / (base ?? count)))
        fflush(nil)
      }
    }
  }
}
