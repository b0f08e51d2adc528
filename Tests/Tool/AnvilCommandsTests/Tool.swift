import AnvilCommands
import AnvilHTTP
import AnvilTesting
import Foundation
import Synchronization

/// The result of running the tool within the test: its exit status and its output.
struct Outcome: Equatable, Sendable {
  var status: Int32
  var output: String
  var error: String
}

/// The reader of the tool's output.
enum Reader {
  case program, person
}

/// Runs `anvil` with `arguments`; `reader` reads both of its outputs, without colours.
func anvil(_ arguments: String..., reader: Reader = .program) async -> Outcome {
  await anvil(arguments: arguments, reader: reader, environment: ["NO_COLOR": "1"])
}

/// Runs `anvil` with a list of arguments.
func anvil(
  arguments: [String], reader: Reader = .program, environment: [String: String] = [:], input: String = ""
) async -> Outcome {
  let output = Collector()
  let error = Collector()
  let console =
    switch reader {
    case .program:
      Console(output: .pipe(output.append), error: .pipe(error.append), environment: environment) { Data(input.utf8) }
    case .person:
      Console(output: .terminal(output.append), error: .terminal(error.append), environment: environment) {
        Data(input.utf8)
      }
    }
  let status = await AnvilCommand.run(arguments: arguments, console: console)
  return Outcome(status: status, output: output.text, error: error.text)
}

/// A server that answers GET of `/` with `json`.
func server(json: String) throws -> LoopbackServer {
  let server = try LoopbackServer()
  server.on(.get, "/") { _ in .json(json) }
  return server
}

extension LoopbackServer {
  /// The URL of `target` as an argument.
  func argument(_ target: String = "/") -> String {
    url(target).absoluteString
  }
}

/// The bytes that were written to an output.
private final class Collector: Sendable {
  private let data = Mutex(Data())

  var text: String { String(decoding: data.withLock { $0 }, as: UTF8.self) }

  @Sendable func append(_ data: Data) {
    self.data.withLock { $0.append(data) }
  }
}
