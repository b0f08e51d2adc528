internal import Anvil
internal import AnvilServer
internal import Foundation

/// Implements `anvil demo`: calls a GitHub-like API on the loopback interface with Anvil's public API.
///
/// Each scene is written like the code of a caller, and prints its result.
struct DemoCommand {
  let json: Bool
  /// The path of the store, or `nil` for the user's caches.
  let storePath: String?
  let console: Console

  /// Prints the models of an earlier run, and runs all scenes.
  ///
  /// - Returns: `success` if each scene ended as expected, including those with failures; `store` if the store cannot
  ///   be used; otherwise `transport`.
  func run() async -> ExitStatus {
    let path = storePath ?? DemoStore.defaultPath
    let store: DemoStore
    let kept: DemoStore.Kept
    do {
      store = try await DemoStore(path: path)
      kept = try await store.kept()
    } catch {
      console.fail("the demo cannot use its store \(path): \(error); name another file with --store")
      return .store
    }
    let status = await run(store, kept)
    await store.close()
    return status
  }

  private func run(_ store: DemoStore, _ kept: DemoStore.Kept) async -> ExitStatus {
    let api: DemoAPI
    do throws(LoopbackServer.StartError) {
      api = try DemoAPI()
    } catch {
      console.fail("\(error)")
      return .transport
    }
    defer { api.stop() }

    var report = DemoReport()
    report.kept = kept.count
    if !json {
      console.write(kept.text(path: store.path))
      console.write("\nA GitHub-like API at \(api.url.absoluteString), called through Anvil's public API.\n")
    }
    for scene in DemoScene.all(keepingIn: store) {
      let result = await scene.play(api)
      report.add(result)
      if !json { console.write("\n" + result.text(title: scene.title, code: scene.code)) }
    }
    report.requests = api.requestCount
    console.write(json ? report.json : "\n" + report.text)
    return report.isAsExpected ? .success : .transport
  }
}
