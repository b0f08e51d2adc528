internal import Anvil
internal import AnvilHTTP
internal import AnvilSQLite
internal import AnvilSQLiteCache
internal import AnvilServer
internal import Foundation

/// Implements `anvil proxy`: forwards requests to a port of the loopback interface through the client and its cache.
struct ProxyCommand {
  let options: ProxyOptions
  let console: Console

  /// Serves until the process receives a termination signal, or the task is cancelled.
  func run() async -> ExitStatus {
    var storage: SQLiteCacheStorage?
    if let path = options.storePath {
      do {
        storage = try await SQLiteCacheStorage(path: path)
      } catch {
        console.fail("the cache cannot use its store \(path): \(error); name another file with --store")
        return .store
      }
    }
    let status = await serve(storage)
    await storage?.close()
    return status
  }

  private func serve(_ storage: SQLiteCacheStorage?) async -> ExitStatus {
    let recorder = options.recordPath.map { ProxyRecorder(file: URL(filePath: $0), console: console) }
    if let recorder, !recorder.begin() { return .inputOutput }
    let listener: Listener
    do throws(Listener.Failure) {
      listener = try Listener(port: options.port, tls: options.tls)
    } catch {
      console.fail(error.message)
      return error.status
    }
    let cache = options.hasCache ? CacheInterceptor(storage: storage ?? MemoryCacheStorage()) : nil
    let forwarder = ProxyForwarder(
      cache: cache, recorder: recorder, origin: options.origin, log: options.isVerbose ? console.writeError : nil)
    listener.server.onAnythingElse { forwarder.reply(to: $0) }
    let end = TerminationSignals()
    listener.announce(on: console, for: options.origin == nil ? .proxy : .server)
    let writing = recorder.map { recorder in Task { await recorder.run() } }
    await end.wait()

    // Running exchanges end first, because the server waits for their threads.
    forwarder.cancelAll()
    await listener.stopped()
    writing?.cancel()
    await writing?.value
    return recorder?.end() == false ? .inputOutput : .success
  }
}
