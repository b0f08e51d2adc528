internal import Anvil
internal import AnvilHTTP
internal import Foundation

/// What `anvil get` does beyond sending one request: the interceptors between the request and the wire.
struct ClientOptions: Sendable {
  /// The maximum number of redirects that are followed; `nil` if none is.
  let maximumRedirects: Int?
  /// What answers challenges, on the URL's own server only.
  let credential: Credential?
  /// How many more attempts there may be.
  let retries: Int
  /// The file that cookies are kept in between runs.
  let cookieFile: CookieFile?
  /// The file that exchanges are recorded in.
  let archiveFile: URL?

  private let jar: CookieJar?
  private let recorder: HARRecorder?

  /// The options in `arguments`.
  ///
  /// - Parameter credential: what answers challenges.
  /// - Throws: ``UsageError`` for a number that is none and a file without a name.
  init(_ arguments: ArgumentParser, credential: Credential?) throws(UsageError) {
    maximumRedirects = try Self.redirects(arguments)
    self.credential = credential
    retries = try Self.retries(arguments.value(of: .retries))
    cookieFile = try Self.file(arguments.value(of: .cookies), of: "--cookies").map { CookieFile(url: $0) }
    archiveFile = try Self.file(arguments.value(of: .har), of: "--har")
    jar = cookieFile.map { _ in CookieJar() }
    recorder = archiveFile.map { _ in HARRecorder() }
  }

  /// The interceptors for a request to `url`, outermost first.
  func interceptors(for url: URL) -> [any Interceptor] {
    var configuration = ClientConfiguration.bare
    if let maximumRedirects { configuration.redirects = .follow(maximum: maximumRedirects) }
    if let credential { configuration.authentication = [.credential(credential)] }
    configuration.cookies = jar
    if retries > 0 {
      var policy = RetryPolicy()
      policy.maximumAttempts = retries + 1
      // One command is no crowd: the caller has said how often.
      policy.budget = nil
      configuration.retries = policy
    }
    if let recorder { configuration.interceptors = [(recorder, at: .attempt)] }
    return configuration.orderedInterceptors(for: HTTP.Origin(url))
  }

  /// Reads what is kept between runs; a file that does not exist yet is empty.
  ///
  /// - Throws: the errors of reading.
  func load() throws {
    if let jar { try cookieFile?.load(into: jar) }
  }

  /// Writes what is kept, and what was recorded.
  ///
  /// - Throws: what writing throws.
  func save() throws {
    if let jar { try cookieFile?.save(jar) }
    if let archiveFile { try recorder?.write(to: archiveFile) }
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
