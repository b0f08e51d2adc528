import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// What this process has, as the system counts it. In tests that others run beside, it says little: count in a process of one's own.
enum ProcessFigures {
  static var threadCount: Int { count("/proc/self/task") }

  static var descriptorCount: Int { count("/proc/self/fd") }

  /// The memory that is in use, in kilobytes.
  static var residentSize: Int {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") })
    else { return 0 }
    return Int(line.filter(\.isNumber)) ?? 0
  }

  /// Whether memory says anything: under a sanitizer, which `scripts/sanitize` announces so, it does not.
  static var countsMemory: Bool { ProcessInfo.processInfo.environment["TSAN_OPTIONS"] == nil }

  /// Has Swift start the threads that tasks run on, which it does as they are needed, so that all are counted from the
  /// beginning.
  static func startTaskThreads() async {
    let wanted = ProcessInfo.processInfo.activeProcessorCount
    let running = Recorder<Int>()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<wanted { group.addTask { holdThread(number, of: wanted, running) } }
    }
  }

  /// Keeps the caller's thread until all are kept. A system that gives fewer is not waited for.
  private static func holdThread(_ number: Int, of wanted: Int, _ running: Recorder<Int>) {
    running.add(number)
    for _ in 0..<1_000 where running.all.count < wanted { Thread.sleep(forTimeInterval: 0.001) }
  }

  /// Waits until threads that are about to end have ended, those of a server's connections above all, and gives back to
  /// the system what is free of the memory: how much is kept differs from run to run by more than what is looked for.
  static func settle() async throws {
    var last = -1
    while threadCount != last {
      last = threadCount
      try await Task.sleep(for: .milliseconds(200))
    }
    giveBackMemory()
  }

  private static func giveBackMemory() {
    #if canImport(Glibc)
    // Not in the headers that Swift sees. Safety: glibc's own function, whose type this is.
    guard let trim = unsafe dlsym(nil, "malloc_trim") else { return }
    _ = unsafe unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
    #endif
  }

  private static func count(_ path: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0
  }
}
