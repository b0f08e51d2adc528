internal import Anvil
internal import AnvilServer
internal import Foundation

/// `anvil demo`: a GitHub-like API on loopback, driven through Anvil's public API.
///
/// Each scene is written as a caller would write it, and reports what it got: what a newcomer should see of the library.
struct DemoCommand {
  let json: Bool
  /// Where the store is; `nil` for the user's caches.
  let storePath: String?
  let console: Console

  /// Shows what an earlier run kept, and runs all scenes.
  ///
  /// - Returns: `success` when each ended as it should, failures included; `store` when there is no store for it; else
  ///   `transport`.
  func run() async -> ExitStatus {
    let path = storePath ?? DemoStore.defaultPath
    let store: DemoStore
    let kept: DemoStore.Kept
    do {
      store = try await DemoStore(path: path)
      kept = try await store.kept()
    } catch {
      console.fail("the demo cannot use its store \(path): \(error); name another file by --store")
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
      console.write("\nA GitHub-like API at \(api.url.absoluteString), by way of Anvil's public API.\n")
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
