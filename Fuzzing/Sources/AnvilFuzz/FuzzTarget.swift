/// A parser that bytes are thrown at. What must hold is checked by ``require(_:_:file:line:)``; the engine's own assertions
/// and the address sanitizer see the rest.
struct FuzzTarget: Sendable {
  /// The name on the command line.
  let name: String
  /// Takes any bytes, and ends the process when something does not hold.
  let run: @Sendable ([UInt8]) -> Void
  /// How inputs are made long for ``growth``.
  let repetition: Repetition
  /// Parses any bytes without checking anything: the work that must take time in proportion to the number of bytes.
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
    redaction, rows, queries,
  ]
}

/// Ends the process, which the fuzzer reports with the input, unless `condition` holds.
func require(
  _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #file, line: UInt = #line
) {
  if !condition { fatalError("FINDING: " + message(), file: file, line: line) }
}

/// What `body` gives; it must not throw.
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
