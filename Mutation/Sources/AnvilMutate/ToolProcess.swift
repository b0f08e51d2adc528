import Foundation
import Synchronization

/// A process whose output is read until it ends, its time is over or the reader has seen enough.
struct ToolProcess {
  enum End: Sendable {
    case exited(Int32)
    case signalled(Int32)
    case stopped
    case timedOut
  }

  var arguments: [String]
  var folder: URL
  var environment: [String: String] = [:]
  /// The limit of processor time, and of the time without any work. A machine that does other work, too, makes a process slow,
  /// but does not let it time out.
  var limit = Duration.seconds(86_400)

  /// Runs the process in a separate process group, which is ended with it.
  ///
  /// - Parameter read: called with each line of both outputs; `false` ends the process.
  func run(_ read: (String) -> Bool) throws -> End {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    try? pipe.fileHandleForWriting.close()
    var clock = ProcessClock(process.processIdentifier)
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    var buffer = [UInt8](repeating: 0, count: 65536)
    var line: [UInt8] = []
    var end: End?
    while end == nil {
      if clock.exceeds(limit) {
        end = .timedOut
        break
      }
      var descriptors = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&descriptors, 1, 200) <= 0 {
        // A process that it started may still hold the pipe.
        if !process.isRunning { break }
        continue
      }
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      for byte in buffer[..<count] {
        if byte != UInt8(ascii: "\n") {
          line.append(byte)
          continue
        }
        if end == nil, !read(String(decoding: line, as: UTF8.self)) { end = .stopped }
        line.removeAll(keepingCapacity: true)
      }
    }
    if end == nil, !line.isEmpty { _ = read(String(decoding: line, as: UTF8.self)) }
    let identifier = process.processIdentifier
    // Only where the group is the process's own.
    let group = getpgid(identifier) == identifier ? -identifier : identifier
    if end != nil { kill(group, SIGKILL) }
    process.waitUntilExit()
    if end == nil, group < 0 { kill(group, SIGKILL) }
    if let end { return end }
    return process.terminationReason == .exit
      ? .exited(process.terminationStatus) : .signalled(process.terminationStatus)
  }

  /// The output of a program that has to succeed; what it writes to standard error is shown.
  static func output(_ arguments: [String], in folder: URL) throws -> Data {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure("\(arguments.joined(separator: " ")) failed") }
    return output
  }
}

/// The time that a process has used.
private struct ProcessClock {
  private let path: String
  private let started = ContinuousClock.now
  private var looked = ContinuousClock.now
  private var worked = ContinuousClock.now
  private var used = Duration.zero

  init(_ identifier: Int32) { path = "/proc/\(identifier)/stat" }

  /// Returns `true` if the process has worked or has been idle for longer than the limit, or was started 20 times as
  /// long ago. Where the processor time is not known, the limit applies to the time since the start.
  mutating func exceeds(_ limit: Duration) -> Bool {
    let now = ContinuousClock.now
    guard now - looked > .seconds(1) else { return false }
    looked = now
    guard let used = processorTime else { return now - started > limit }
    // Less than a hundredth of a second in one is the runtime's own.
    if used - self.used > .milliseconds(10) { worked = now }
    self.used = used
    return used > limit || now - worked > limit || now - started > limit * 20
  }

  /// User and system time: the 14th and 15th field of the file, in hundredths of a second.
  private var processorTime: Duration? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8), let name = text.lastIndex(of: ")") else {
      return nil
    }
    let fields = text[text.index(after: name)...].split(separator: " ")
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return nil }
    return .milliseconds(10 * (user + system))
  }
}
