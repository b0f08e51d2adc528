internal import Anvil
internal import AnvilTesting
internal import Foundation

/// `anvil demo`: a GitHub-like API on loopback, driven through Anvil's public API.
///
/// Each scene is written as a caller would write it, and reports what it got: what a newcomer should see of the library.
struct DemoCommand {
  let json: Bool
  let console: Console

  /// Runs all scenes.
  ///
  /// - Returns: `success` when each ended as it should, failures included; else `transport`.
  func run() async -> ExitStatus {
    let api: DemoAPI
    do throws(LoopbackServer.StartError) {
      api = try DemoAPI()
    } catch {
      console.fail("\(error)")
      return .transport
    }
    defer { api.stop() }

    var report = DemoReport()
    if !json { console.write("A GitHub-like API at \(api.url.absoluteString), by way of Anvil's public API.\n") }
    for scene in DemoScene.all {
      let result = await scene.play(api)
      report.add(result)
      if !json { console.write("\n" + result.text(title: scene.title, code: scene.code)) }
    }
    report.requests = api.requestCount
    console.write(json ? report.json : "\n" + report.text)
    return report.isAsExpected ? .success : .transport
  }
}
