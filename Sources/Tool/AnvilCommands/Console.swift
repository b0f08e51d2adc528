internal import AnvilBase
internal import AnvilHTTP
internal import AnvilJSON
public import Foundation
internal import Synchronization

/// The inputs and outputs of a command: standard input, standard output and standard error.
///
/// Functions that write do not throw. After an output has failed, later writes are ignored, and ``AnvilCommand`` prints
/// the reason at the end. A reader that closes its end early, such as `head -1`, is not an error.
public struct Console: Sendable {
  private let output: Output
  private let error: Output
  private let input: @Sendable () throws -> Data
  /// The environment variables, for settings such as `NO_COLOR` and for credentials.
  let environment: [String: String]

  /// Creates a console that writes to two streams.
  ///
  ///     let console = Console(output: .pipe { data in … }, error: .terminal { data in … })
  ///
  /// - Parameters:
  ///   - output: Standard output.
  ///   - error: Standard error.
  ///   - environment: The environment variables.
  ///   - input: Reads standard input to its end. By default, reads the standard input of the process.
  public init(
    output: Stream, error: Stream, environment: [String: String] = [:],
    input: @escaping @Sendable () throws -> Data = { try FileHandle.standardInput.readToEnd() ?? Data() }
  ) {
    self.output = Output(output)
    self.error = Output(error)
    self.input = input
    self.environment = environment
  }

  /// The console of the process.
  public static let standard = Console(
    output: .file(.standardOutput), error: .file(.standardError), environment: ProcessInfo.processInfo.environment)

  /// True if standard output is a terminal.
  public var outputIsTerminal: Bool { output.stream.isTerminal }
  /// The number of columns of standard output: that of the terminal, otherwise the value of `COLUMNS`, otherwise 100.
  var outputColumns: Int {
    output.stream.columns() ?? environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 100
  }
  /// The number of columns of standard error: that of the terminal, or 80 if it is not known.
  var errorColumns: Int { error.stream.columns() ?? 80 }
  /// True if standard output has neither failed nor been closed by its reader.
  var canWrite: Bool { output.failure == nil }
  /// True if standard error is a terminal.
  public var errorIsTerminal: Bool { error.stream.isTerminal }

  /// Reads standard input to its end.
  ///
  /// - Throws: The errors of reading.
  func readInput() throws -> Data { try input() }

  /// Writes `data` to standard output without changes.
  public func write(_ data: Data) {
    output.write(data)
  }

  /// Writes `text` to standard output in UTF-8, without adding a line end.
  public func write(_ text: String) {
    output.write(Data(text.utf8))
  }

  /// Writes `data` to standard error without changes.
  public func writeError(_ data: Data) {
    error.write(data)
  }

  /// Writes `text` to standard error in UTF-8, without adding a line end.
  public func writeError(_ text: String) {
    error.write(Data(text.utf8))
  }

  /// Writes `anvil: message` to standard error. The message is converted to one line.
  public func fail(_ message: String) {
    writeError("anvil: \(message.printable)\n")
  }

  /// The error that ended writing to standard output; `nil` if there was none, or if the reader has closed its end.
  var outputFailure: (any Error)? {
    guard let failure = output.failure, !failure.isClosedPipe else { return nil }
    return failure
  }
}

extension Console {
  /// An output stream of a console.
  public struct Stream: Sendable {
    let isTerminal: Bool
    let columns: @Sendable () -> Int?
    let write: @Sendable (Data) throws -> Void

    /// Creates a stream to a terminal.
    public static func terminal(_ write: @escaping @Sendable (Data) throws -> Void) -> Stream {
      Stream(isTerminal: true, columns: { nil }, write: write)
    }

    /// Creates a stream to a file or a program.
    public static func pipe(_ write: @escaping @Sendable (Data) throws -> Void) -> Stream {
      Stream(isTerminal: false, columns: { nil }, write: write)
    }

    fileprivate static func file(_ handle: FileHandle) -> Stream {
      Stream(
        isTerminal: isatty(handle.fileDescriptor) == 1, columns: { TerminalSize.columns(of: handle.fileDescriptor) }
      ) { try handle.write(contentsOf: $0) }
    }
  }

  /// A stream, and the failure that ended it.
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
  /// True if writing failed because the reader has closed its end and the process ignores SIGPIPE.
  fileprivate var isClosedPipe: Bool {
    let error = self as NSError
    let causes = [error, error.userInfo[NSUnderlyingErrorKey] as? NSError]
    return causes.contains { $0?.domain == NSPOSIXErrorDomain && $0?.code == Int(EPIPE) }
  }
}

extension String {
  /// The text in quotation marks, in printable form, without secrets of a URL, and limited to 40 characters.
  var quotedExcerpt: String { "\"\(withoutURLSecrets.printable(limit: 40))\"" }

  /// The text with secrets hidden. In a URL these are the user, the password, the fragment and the values of the query. In other text with
  /// `:` before an `@`, everything before the last `@` is hidden.
  var withoutURLSecrets: String {
    let scheme = prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:[\/\\]+/)?.range.upperBound
    var text = self
    let start = scheme ?? startIndex
    // The last `@` counts, because a password may contain any character.
    if let at = lastIndex(of: "@"), at >= start, scheme != nil || self[..<at].contains(":") {
      text.replaceSubrange(start..<at, with: HTTP.Redaction.mark)
    }
    return scheme == nil ? text : HTTP.Redaction().shown(reference: text)
  }
}
