import Foundation

/// The built tests, run without the package manager.
struct TestProgram: Sendable {
  enum Result: Sendable, Equatable {
    case passed
    /// With the line of the first issue.
    case failed(String)
    case crashed(String)
    case timedOut
  }

  let path: String
  let folder: URL

  init(copy: WorkCopy) throws {
    folder = copy.folder
    let bin = try ToolProcess.output(["swift", "build", "--show-bin-path"], in: copy.folder)
    let products = String(decoding: bin, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    let names = try FileManager.default.contentsOfDirectory(atPath: products)
    guard let name = names.first(where: { $0.hasSuffix("PackageTests.xctest") }) else {
      throw Failure("there are no tests in \(products)")
    }
    path = "\(products)/\(name)"
  }

  /// The names of the outermost suites, such as `AnvilHTTPTests.HeadersTests`, and of tests outside of suites.
  func suites() throws -> [String] {
    var names: Set<String> = []
    let listing = ToolProcess(arguments: [path, "--testing-library", "swift-testing", "--list-tests"], folder: folder)
    _ = try listing.run { line in
      if let name = line.split(separator: "/").first, name.contains(".") { names.insert(String(name)) }
      return true
    }
    return names.sorted()
  }

  /// Runs suites, at most until the first issue.
  func run(_ suites: [String], environment: [String: String], limit: Duration) throws -> Result {
    var arguments = [path, "--testing-library", "swift-testing"]
    for suite in suites { arguments += ["--filter", "^\(NSRegularExpression.escapedPattern(for: suite))/"] }
    var environment = environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    var issue: String?
    let process = ToolProcess(arguments: arguments, folder: folder, environment: environment, limit: limit)
    let end = try process.run { line in
      guard line.contains(" recorded an issue") else { return true }
      issue = line.singleLine
      return false
    }
    if let issue { return .failed(issue) }
    switch end {
    case .exited(0): return .passed
    case .exited(let status): return .failed("exit code \(status)")
    case .signalled(let signal): return .crashed("signal \(signal)")
    case .stopped, .timedOut: return .timedOut
    }
  }
}
