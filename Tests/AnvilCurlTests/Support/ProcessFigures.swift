import Foundation

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

  private static func count(_ path: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0
  }
}
