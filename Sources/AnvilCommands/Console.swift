internal import AnvilHTTP
internal import AnvilJSON
internal import AnvilText
public import Foundation
internal import Synchronization

/// Where a command reads and writes: standard input, standard output and standard error, each of which knows whether a person reads it.
///
/// Writing never throws. After an output has failed nothing more is written to it, and ``AnvilCommand`` says why at the
/// end, unless the reader has just gone away, as `head -1` does.
public struct Console: Sendable {
  private let output: Output
  private let error: Output
  private let input: @Sendable () throws -> Data
  /// The environment's variables: how to write, such as `NO_COLOR`, and credentials.
  let environment: [String: String]

  /// A console that writes to two streams.
  ///
  ///     let console = Console(output: .pipe { data in … }, error: .terminal { data in … })
  ///
  /// - Parameters:
  ///   - output: standard output.
  ///   - error: standard error.
  ///   - environment: the environment's variables.
  ///   - input: reads standard input to its end; the process's own unless given.
  public init(
    output: Stream, error: Stream, environment: [String: String] = [:],
    input: @escaping @Sendable () throws -> Data = { try FileHandle.standardInput.readToEnd() ?? Data() }
  ) {
    self.output = Output(output)
    self.error = Output(error)
    self.input = input
    self.environment = environment
  }

  /// The process's own standard output and standard error.
  public static let standard = Console(
    output: .file(.standardOutput), error: .file(.standardError), environment: ProcessInfo.processInfo.environment)

  /// Whether a person reads standard output.
  public var outputIsTerminal: Bool { output.stream.isTerminal }
  /// How many columns standard output has: the terminal's, else what `COLUMNS` says, else 100.
  var outputColumns: Int {
    output.stream.columns() ?? environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 100
  }
  /// The number of columns of standard error: the terminal's, else 80.
  var errorColumns: Int { error.stream.columns() ?? 80 }
  /// Whether standard output can still be written: neither failed nor closed by its reader.
  var canWrite: Bool { output.failure == nil }
  /// Whether a person reads standard error.
  public var errorIsTerminal: Bool { error.stream.isTerminal }

  /// Reads standard input to its end.
  ///
  /// - Throws: what reading throws.
  func readInput() throws -> Data { try input() }

  /// Writes `data` to standard output as it is.
  public func write(_ data: Data) {
    output.write(data)
  }

  /// Writes `text` to standard output in UTF-8; a line end is the caller's.
  public func write(_ text: String) {
    output.write(Data(text.utf8))
  }

  /// Writes `data` to standard error as it is.
  public func writeError(_ data: Data) {
    error.write(data)
  }

  /// Writes `text` to standard error in UTF-8; a line end is the caller's.
  public func writeError(_ text: String) {
    error.write(Data(text.utf8))
  }

  /// Writes `anvil: message` to standard error, in one line whatever `message` holds.
  public func fail(_ message: String) {
    writeError("anvil: \(message.printable)\n")
  }

  /// Why standard output could not be written; `nil` when it could, and when its reader closed it.
  var outputFailure: (any Error)? {
    guard let failure = output.failure, !failure.isClosedPipe else { return nil }
    return failure
  }
}

extension Console {
  /// One of a console's two ends.
  public struct Stream: Sendable {
    let isTerminal: Bool
    let columns: @Sendable () -> Int?
    let write: @Sendable (Data) throws -> Void

    /// A stream that a person reads.
    public static func terminal(_ write: @escaping @Sendable (Data) throws -> Void) -> Stream {
      Stream(isTerminal: true, columns: { nil }, write: write)
    }

    /// A stream that a program reads or a file keeps.
    public static func pipe(_ write: @escaping @Sendable (Data) throws -> Void) -> Stream {
      Stream(isTerminal: false, columns: { nil }, write: write)
    }

    fileprivate static func file(_ handle: FileHandle) -> Stream {
      Stream(
        isTerminal: isatty(handle.fileDescriptor) == 1, columns: { TerminalSize.columns(of: handle.fileDescriptor) }
      ) { try handle.write(contentsOf: $0) }
    }
  }

  /// A stream and the failure that ended it.
  private final class Output: Sendable {
    let stream: Stream
    private let failed = Mutex<(any Error)?>(nil)

    init(_ stream: Stream) {
      self.stream = stream
    }

    var failure: (any Error)? { failed.withLock { $0 } }

    func write(_ data: Data) {
      guard failure == nil, !data.isEmpty else { return }
      do {
        try stream.write(data)
      } catch {
        failed.withLock { $0 = error }
      }
    }
  }
}

extension Error {
  /// Whether a write failed because nobody reads any more, where the process ignores SIGPIPE.
  fileprivate var isClosedPipe: Bool {
    let error = self as NSError
    let causes = [error, error.userInfo[NSUnderlyingErrorKey] as? NSError]
    return causes.contains { $0?.domain == NSPOSIXErrorDomain && $0?.code == Int(EPIPE) }
  }
}

extension String {
  /// The text in quotation marks, printable, without secrets of a URL, cut after 40 characters: enough to find what was typed.
  var quotedExcerpt: String { "\"\(withoutURLSecrets.printable(limit: 40))\"" }

  /// The text with user and password hidden where it is a URL or was to be one, and the values of a URL's query.
  var withoutURLSecrets: String {
    let scheme = prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:[\/\\]+/)?.range.upperBound
    var text = self
    let start = scheme ?? startIndex
    // The last one, since a password may have anything in it.
    if let at = lastIndex(of: "@"), at >= start, scheme != nil || self[..<at].contains(":") {
      text.replaceSubrange(start..<at, with: HTTP.Redaction.mark)
    }
    return scheme == nil ? text : HTTP.Redaction().shown(reference: text)
  }
}
