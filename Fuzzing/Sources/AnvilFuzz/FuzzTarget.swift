/// A parser under test. ``require(_:_:file:line:)`` checks its properties; the engine's assertions and the address
/// sanitizer find other faults.
struct FuzzTarget: Sendable {
  /// The name on the command line.
  let name: String
  /// Runs the parser on any bytes, and ends the process if a property does not hold.
  let run: @Sendable ([UInt8]) -> Void
  /// The way to lengthen inputs for ``growth``.
  let repetition: Repetition
  /// Parses any bytes without checks, which must take time in proportion to the number of bytes.
  let growth: @Sendable ([UInt8]) -> Void

  init(
    name: String, repeated repetition: Repetition = .plain, run: @escaping @Sendable ([UInt8]) -> Void,
    growth: @escaping @Sendable ([UInt8]) -> Void
  ) {
    self.name = name
    self.repetition = repetition
    self.run = run
    self.growth = growth
  }

  /// All targets, in the order in which scripts/fuzz runs them.
  static let all: [FuzzTarget] = [
    parser, strings, numbers, values, decoder, encoder, paths, reader, json5, elements, diagnosis, schemas, patterns,
    shapes, models,
    heads, requests, fields, dates, cookies, jars, references, templates, events, forms, multipart, codings, cassettes,
    redaction, rows, queries, sequences, netrcs, cookiefiles, archives, wires,
  ]
}

/// Ends the process, which the fuzzer reports with the input, unless `condition` holds.
func require(
  _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #file, line: UInt = #line
) {
  if !condition { fatalError("FINDING: " + message(), file: file, line: line) }
}

/// Returns the result of `body`, which must not throw.
func requireSuccess<Value, Failure: Error>(
  _ message: @autoclosure () -> String, file: StaticString = #file, line: UInt = #line,
  _ body: () throws(Failure) -> Value
) -> Value {
  do {
    return try body()
  } catch {
    fatalError("FINDING: \(message()): \(error)", file: file, line: line)
  }
}
