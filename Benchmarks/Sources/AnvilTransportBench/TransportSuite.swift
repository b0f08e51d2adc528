import Foundation
import Rounds

/// Measures one load. Contenders take turns, each in a separate process.
struct TransportSuite {
  let load: Load
  let contenders: [Contender]
  let rounds: Int
  let seconds: Double

  func run() throws {
    var runners: [Runner] = []
    for contender in contenders {
      guard let process = try contender.process(load) else {
        note("\(contender.name): not there for HTTP/\(load.version.rawValue), left out")
        continue
      }
      runners.append(Runner(name: contender.name, isBase: contender == .loop, process: process))
    }
    try Runner.takeTurns(&runners, rounds: rounds, seconds: seconds)
    Table(title: load.title, requestCount: load.consumption == .discard ? 1 : 10_000).print(runners)
  }
}

/// Compares a request for a model with one for the bytes of its body with the session alone, on equal sessions.
struct RoadSuite {
  let load: Load
  let contenders: [Contender]
  let rounds: Int
  let seconds: Double

  func run() throws {
    for contender in contenders where contender.isOurs {
      var runners: [Runner] = []
      for road in Road.allCases {
        guard let process = try contender.process(load, road: road) else { continue }
        runners.append(Runner(name: road.name, isBase: road == .transport, process: process))
      }
      if runners.isEmpty {
        note("\(contender.name): not there for HTTP/\(load.version.rawValue), left out")
        continue
      }
      try Runner.takeTurns(&runners, rounds: rounds, seconds: seconds)
      Table(title: "\(contender.name), \(load.title)", requestCount: 10_000).print(runners)
    }
  }
}

extension Load {
  var title: String {
    let size =
      byteCount < 1_000
      ? "\(byteCount) B" : byteCount < 1_000_000 ? "\(byteCount / 1_000) kB" : "\(byteCount / 1_000_000) MB"
    return "\(size), \(version == .http1 ? "HTTP/1.1" : "HTTP/2 over TLS"), \(concurrency) at a time"
  }
}
