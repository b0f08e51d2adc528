import AnvilJSON
import AnvilTestSupport
import Foundation
import Synchronization

/// A headless Chromium with one page, which tests drive by the DevTools protocol over pipes.
///
/// Source: <https://chromedevtools.github.io/devtools-protocol/>, `--remote-debugging-pipe`: messages end with a NUL byte.
final class Chromium: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The executable, or `nil` if it is not installed.
  static let executable: String? = {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["ANVIL_CHROMIUM"] { return path }
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"]
    return names.lazy.flatMap { name in folders.map { "\($0)/\(name)" } }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }()
  static let missing = "Chromium is not installed: scripts/setup --browser installs it"

  private struct State {
    var lastID = 0
    var waiting: [Int: CheckedContinuation<JSON, any Error>] = [:]
    var received = Data()
    var problems: [String] = []
    var session: String?
    var hasEnded = false
  }

  private let process: Process
  private let commands = Pipe()
  private let answers = Pipe()
  private let state = Mutex(State())

  private init(profile: URL) throws {
    process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    // The browser reads from descriptor 3 and writes to descriptor 4.
    process.arguments = [
      "-c", #"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#, Self.executable ?? "", "--headless",
      "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--user-data-dir=\(profile.path())",
      "about:blank",
    ]
    process.standardInput = commands
    process.standardOutput = answers
    answers.fileHandleForReading.readabilityHandler = { [weak self] handle in self?.receive(handle.availableData) }
    try process.run()
  }

  /// Runs `body` with a page of a new browser, which ends with it.
  static func withPage(
    width: Int = 1300, height: Int = 760, scheme: String = "light", _ body: (Chromium) async throws -> Void
  ) async throws {
    let profile = FileManager.default.temporaryDirectory.appending(path: "anvil-chromium-\(UUID().uuidString)")
    let browser = try Chromium(profile: profile)
    do {
      try await browser.attach()
      try await browser.show(width: width, height: height, scheme: scheme)
      try await body(browser)
    } catch {
      browser.end()
      try? FileManager.default.removeItem(at: profile)
      throw error
    }
    browser.end()
    try? FileManager.default.removeItem(at: profile)
  }

  /// The reports of the page: errors of its script, and violations of its policy.
  var problems: [String] { state.withLock { $0.problems } }

  /// Loads `url` and waits until its script has run.
  func open(_ url: URL) async throws {
    _ = try await send("Page.navigate", ["url": JSON(url.absoluteString)])
    try await wait(until: "location.href !== 'about:blank' && document.readyState === 'complete'")
  }

  /// Returns the value of a JavaScript expression, after waiting for a promise.
  @discardableResult
  func evaluate(_ expression: String) async throws -> JSON {
    let answer = try await send(
      "Runtime.evaluate", ["expression": JSON(expression), "returnByValue": true, "awaitPromise": true])
    if let exception = answer["exceptionDetails"] { throw Failure(description: "\(expression): \(exception)") }
    return answer["result"]?["value"] ?? []
  }

  /// Waits until a JavaScript expression is true.
  func wait(until expression: String) async throws {
    // A page that is being replaced does not respond.
    await waitUntil { (try? await evaluate(expression))?.bool == true }
  }

  /// Presses and releases keys by their names in JavaScript.
  func press(_ keys: String...) async throws {
    for key in keys {
      var event: [String: JSON] = ["type": "keyDown", "key": JSON(key)]
      if key == "Enter" { event["text"] = "\r" }
      if key.count == 1 { event["text"] = JSON(key) }
      // Chromium determines the default action from the Windows key code.
      let codes = ["Tab": 9, "Enter": 13, "Escape": 27]
      if let code = codes[key] { event["windowsVirtualKeyCode"] = JSON(code) }
      _ = try await send("Input.dispatchKeyEvent", JSON(event.map { (key: $0.key, value: $0.value) }))
      event["type"] = "keyUp"
      event["text"] = nil
      _ = try await send("Input.dispatchKeyEvent", JSON(event.map { (key: $0.key, value: $0.value) }))
    }
  }

  private func attach() async throws {
    let target = try await send("Target.createTarget", ["url": "about:blank"])
    let session = try await send("Target.attachToTarget", ["targetId": target["targetId"] ?? [], "flatten": true])
    state.withLock { $0.session = session["sessionId"]?.string }
    for domain in ["Page", "Runtime", "Log"] { _ = try await send("\(domain).enable", [:]) }
  }

  private func show(width: Int, height: Int, scheme: String) async throws {
    _ = try await send(
      "Emulation.setDeviceMetricsOverride",
      ["width": JSON(width), "height": JSON(height), "deviceScaleFactor": 1, "mobile": false])
    _ = try await send(
      "Emulation.setEmulatedMedia", ["features": [["name": "prefers-color-scheme", "value": JSON(scheme)]]])
  }

  private func end() {
    answers.fileHandleForReading.readabilityHandler = nil
    try? commands.fileHandleForWriting.close()
    process.terminate()
    process.waitUntilExit()
  }

  private func send(_ method: String, _ parameters: JSON) async throws -> JSON {
    let (id, session) = state.withLock { state in
      state.lastID += 1
      return (state.lastID, state.session)
    }
    var message: [(key: String, value: JSON)] = [
      ("id", JSON(id)), ("method", JSON(method)), ("params", parameters),
    ]
    if let session { message.append(("sessionId", JSON(session))) }
    let data = JSON(message).serializedData(.compact) + Data([0])
    let answer = try await withCheckedThrowingContinuation { continuation in
      let hasEnded = state.withLock { state in
        if !state.hasEnded { state.waiting[id] = continuation }
        return state.hasEnded
      }
      if hasEnded { return continuation.resume(throwing: Failure(description: "the browser has ended")) }
      do {
        try commands.fileHandleForWriting.write(contentsOf: data)
      } catch {
        state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(throwing: error)
      }
    }
    if let error = answer["error"] { throw Failure(description: "\(method): \(error)") }
    return answer["result"] ?? []
  }

  private func receive(_ data: Data) {
    guard !data.isEmpty else {
      let waiting = state.withLock { state in
        defer { (state.waiting, state.hasEnded) = ([:], true) }
        return state.waiting.values.map(\.self)
      }
      for continuation in waiting { continuation.resume(throwing: Failure(description: "the browser has ended")) }
      return
    }
    var messages: [JSON] = []
    state.withLock { state in
      state.received.append(data)
      while let end = state.received.firstIndex(of: 0) {
        if let message = try? JSON(parsing: Data(state.received[..<end])) { messages.append(message) }
        state.received = Data(state.received[(end + 1)...])
      }
    }
    for message in messages { take(message) }
  }

  private func take(_ message: JSON) {
    if let id = message["id"]?.int {
      state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: message)
    } else if message["method"] == "Runtime.exceptionThrown" {
      state.withLock { $0.problems.append("\(message["params"]?["exceptionDetails"] ?? [])") }
    } else if message["method"] == "Log.entryAdded", message["params"]?["entry"]?["level"] == "error" {
      state.withLock { $0.problems.append("\(message["params"]?["entry"]?["text"] ?? [])") }
    }
  }
}
