import Foundation

/// The resource usage of the process.
///
/// Source: proc(5).
struct ProcessUsage: Sendable {
  /// Resident memory in MiB.
  var memory = 0
  /// Open descriptors.
  var descriptors = 0
  /// Threads.
  var threads = 0
  /// Processor time so far, in seconds.
  var processorTime = 0.0

  /// True where the system states the usage of memory, descriptors and threads.
  static var isKnown: Bool { FileManager.default.fileExists(atPath: "/proc/self/status") }

  /// The usage at the time of the call.
  static var current: ProcessUsage {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    func number(of name: String) -> Int {
      guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return 0 }
      return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
    return ProcessUsage(
      memory: number(of: "VmRSS:") / 1024,
      descriptors: (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0,
      threads: number(of: "Threads:"), processorTime: Double(clock()) / 1_000_000)
  }

  /// The larger of both values for each resource.
  func maximum(_ other: ProcessUsage) -> ProcessUsage {
    ProcessUsage(
      memory: max(memory, other.memory), descriptors: max(descriptors, other.descriptors),
      threads: max(threads, other.threads), processorTime: max(processorTime, other.processorTime))
  }
}

extension ProcessUsage: CustomStringConvertible {
  var description: String { "\(memory) MiB, \(descriptors) descriptors, \(threads) threads" }
}
