import Foundation
import Testing

/// The resources of this process, as the system counts them. They are meaningful only in a process that runs one test.
enum ProcessFigures {
  /// Whether the system has a /proc with the figures. Elsewhere they are zero, and must not be compared.
  static let areAvailable = FileManager.default.isReadableFile(atPath: "/proc/self/status")

  static var threadCount: Int { count("/proc/self/task") }

  static var descriptorCount: Int { count("/proc/self/fd") }

  /// The memory in use, in kilobytes.
  static var residentSize: Int {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") })
    else { return 0 }
    return Int(line.filter(\.isNumber)) ?? 0
  }

  /// False under a sanitizer, which distorts memory figures. `scripts/sanitize` sets the variable.
  static var countsMemory: Bool { ProcessInfo.processInfo.environment["TSAN_OPTIONS"] == nil }

  /// Makes Swift start all threads of its task pool, so that the first count includes them. It otherwise starts them on
  /// demand.
  static func startTaskThreads() async {
    let wanted = ProcessInfo.processInfo.activeProcessorCount
    let running = Recorder<Int>()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<wanted { group.addTask { holdThread(number, of: wanted, running) } }
    }
  }

  /// Blocks the caller's thread until all `wanted` threads are blocked. Fewer threads are accepted on smaller systems.
  private static func holdThread(_ number: Int, of wanted: Int, _ running: Recorder<Int>) {
    running.add(number)
    for _ in 0..<1_000 where running.all.count < wanted { Thread.sleep(forTimeInterval: 0.001) }
  }

  /// Waits until ending threads have ended, especially those of a server's connections, and returns free memory to the
  /// system, because the amount that is retained varies by more than the tests measure.
  static func settle() async throws {
    try #require(areAvailable)
    var last = -1
    while threadCount != last {
      last = threadCount
      try await Task.sleep(for: .milliseconds(200))
    }
    giveBackMemory()
  }

  private static func giveBackMemory() {
    #if canImport(Glibc)
    // Not in the headers that Swift imports. Safety: a function of glibc with this type.
    guard let trim = unsafe dlsym(nil, "malloc_trim") else { return }
    _ = unsafe unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
    #endif
  }

  private static func count(_ path: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0
  }
}
