internal import AnvilDiagnosis
internal import AnvilHTTP
internal import AnvilServer
internal import Foundation

/// Implements `anvil serve`: answers requests on the loopback interface from a recording.
struct ServeCommand {
  let options: ServeOptions
  let console: Console

  /// Serves until the process receives a termination signal, or the task is cancelled.
  func run() async -> ExitStatus {
    let recording: Recording
    do throws(ArchiveFile.Failure) {
      recording = try Recording(ArchiveFile.bytes(of: options.source, console), from: options.source)
    } catch {
      console.fail(error.message(options.source.description))
      if case .unreadable = error { return .inputOutput }
      return .decoding
    }
    let answers = RecordingServer(recording, options: options, log: console.writeError)
    let listener: Listener
    do throws(Listener.Failure) {
      listener = try Listener(port: options.port, tls: options.tls, hosts: answers.hosts)
    } catch {
      console.fail(error.message)
      return error.status
    }
    if recording.missingBodyCount > 0 {
      console.fail(
        "\(recording.missingBodyCount) of \(recording.exchanges.count) responses were recorded without their body")
    }
    listener.server.onAnythingElse { answers.reply(to: $0) }
    let end = TerminationSignals()
    listener.announce(on: console, for: .server)
    await end.wait()
    await listener.stopped()
    return options.mode == .strict ? verify(answers.player) : .success
  }

  /// Prints the exchanges that were recorded but not requested.
  private func verify(_ player: RecordingPlayer) -> ExitStatus {
    let unused = player.unused
    let redaction = HTTP.Redaction(queryValues: .shownUnlessSecret)
    for exchange in unused.prefix(20) {
      console.fail("not requested: \(exchange.key.method) \(redaction.shown(reference: exchange.url))")
    }
    if unused.count > 20 { console.fail("\(unused.count - 20) more were not requested") }
    return unused.isEmpty && player.unmatchedCount == 0 ? .success : .departure
  }
}
