internal import AnvilDiagnosis
internal import AnvilHTTP
internal import AnvilServer
internal import Foundation

/// `anvil serve`: answers requests on the loopback interface from a recording.
struct ServeCommand {
  let options: ServeOptions
  let console: Console

  /// Serves until SIGINT, SIGTERM or the cancellation of the task.
  func run() async -> ExitStatus {
    let recording: Recording
    do throws(ArchiveFile.Failure) {
      recording = try Recording(ArchiveFile.bytes(of: options.source, console), from: options.source)
    } catch {
      console.fail(error.message(options.source.description))
      if case .unreadable = error { return .inputOutput }
      return .decoding
    }
    let server: LoopbackServer
    do throws(LoopbackServer.StartError) {
      server = try LoopbackServer(port: options.port)
    } catch {
      console.fail("cannot listen on port \(options.port): \(error)")
      return .transport
    }
    if recording.missingBodyCount > 0 {
      console.fail(
        "\(recording.missingBodyCount) of \(recording.exchanges.count) responses were recorded without their body")
    }
    let answers = RecordingServer(recording, options: options, log: console.writeError)
    server.onAnythingElse { answers.reply(to: $0) }
    let end = TerminationSignals()
    console.write("listening on \(server.url.absoluteString)\n")
    await end.wait()
    await server.stopped()
    return options.mode == .strict ? verify(answers.player) : .success
  }

  /// Says what was recorded and not requested.
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
