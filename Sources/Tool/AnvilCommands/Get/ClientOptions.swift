internal import Anvil
internal import AnvilHTTP
internal import AnvilObservability
internal import Foundation

/// The options of `anvil get` for repeated requests and for state between runs, as interceptors.
struct ClientOptions: Sendable {
  /// The maximum number of redirects, or `nil` if redirects are not followed.
  let maximumRedirects: Int?
  /// The credential with which challenges of the URL's server are answered.
  let credential: Credential?
  /// The maximum number of additional attempts.
  let retries: Int
  /// The file that stores cookies between runs.
  let cookieFile: CookieFile?
  /// The file that records exchanges.
  let archiveFile: URL?

  private let jar: CookieJar?
  private let recorder: HARRecorder?

  /// Creates the options from `arguments`.
  ///
  /// - Parameter credential: The credential for challenges.
  /// - Throws: ``UsageError`` for an invalid number and for a file without a name.
  init(_ arguments: ArgumentParser, credential: Credential?) throws(UsageError) {
    maximumRedirects = try Self.redirects(arguments)
    self.credential = credential
    retries = try Self.retries(arguments.value(of: .retries))
    cookieFile = try Self.file(arguments.value(of: .cookies), of: "--cookies").map { CookieFile(url: $0) }
    archiveFile = try Self.file(arguments.value(of: .har), of: "--har")
    jar = cookieFile.map { _ in CookieJar() }
    recorder = archiveFile.map { _ in HARRecorder() }
  }

  /// Returns the interceptors for a request to `url`, outermost first.
  func interceptors(for url: URL) -> [any Interceptor] {
    var configuration = ClientConfiguration.bare
    if let maximumRedirects { configuration.redirects = .follow(maximum: maximumRedirects) }
    if let credential { configuration.authentication = [.credential(credential)] }
    configuration.cookies = jar
    if retries > 0 {
      var policy = RetryPolicy()
      policy.attemptLimit = retries + 1
      // A single command needs no budget, because the user has set the number of retries.
      policy.budget = nil
      configuration.retries = policy
    }
    if let recorder { configuration.interceptors = [(recorder, at: .attempt)] }
    return configuration.orderedInterceptors(for: HTTP.Origin(url))
  }

  /// Reads the cookies of earlier runs, and returns the numbers of the lines that are not cookies. A missing file is treated as empty.
  ///
  /// - Throws: The errors of reading.
  func load() throws -> [Int] {
    guard let jar, let cookieFile else { return [] }
    return try cookieFile.load(into: jar)
  }

  /// Writes the cookies for later runs, and the recorded exchanges.
  ///
  /// - Throws: The errors of writing.
  func save() throws {
    if let jar { try cookieFile?.save(jar) }
    if let archiveFile, let recorder { try OutputFile.write(recorder.archive(), to: archiveFile) }
  }

  private static func redirects(_ arguments: ArgumentParser) throws(UsageError) -> Int? {
    guard let text = arguments.value(of: .maxRedirects) else { return arguments.contains(.follow) ? 20 : nil }
    guard let maximum = Int(text), (0...1_000).contains(maximum) else {
      throw UsageError("--max-redirs \(text.quotedExcerpt) is not a number from 0 to 1000")
    }
    return maximum
  }

  private static func retries(_ text: String?) throws(UsageError) -> Int {
    guard let text else { return 0 }
    guard let retries = Int(text), (0...100).contains(retries) else {
      throw UsageError("--retries \(text.quotedExcerpt) is not a number from 0 to 100")
    }
    return retries
  }

  private static func file(_ name: String?, of option: String) throws(UsageError) -> URL? {
    guard name != "" else { throw UsageError("\(option) needs the name of a file") }
    return name.map { URL(filePath: $0) }
  }
}
