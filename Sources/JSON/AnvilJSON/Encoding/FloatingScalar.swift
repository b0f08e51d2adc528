/// A floating-point type with a JSON number format.
protocol FloatingScalar: BinaryFloatingPoint {
  func append(to output: OutputMemory)
}

extension Double: FloatingScalar {
  func append(to output: OutputMemory) { output.append(finite: self) }
}

extension Float: FloatingScalar {
  func append(to output: OutputMemory) { output.append(finite: self) }
}

extension EncodingSession {
  /// Checks that `value` is finite or that a strategy converts infinities and NaN to strings.
  ///
  /// - Throws: `EncodingError.invalidValue`, whose path is that of the ``ValueSlot`` with this identity, followed by `key` if it is not
  ///   `nil`.
  @inline(__always)
  func checkFinite<Value: FloatingScalar>(_ value: Value, at identity: Int, _ key: (any CodingKey)?) throws {
    if value.isFinite { return }
    if case .convertToString = options.floats { return }
    throw nonConforming(value, codingPath(of: identity) + (key.map { [$0] } ?? []))
  }

  /// Appends a value that has passed ``checkFinite(_:at:_:)``.
  @inline(__always)
  func append<Value: FloatingScalar>(floating value: Value, to output: OutputMemory) {
    if value.isFinite { value.append(to: output) } else { appendNonConforming(Double(value)) }
  }

  @inline(never)
  private func appendNonConforming(_ value: Double) {
    guard case .convertToString(let positive, let negative, let nan) = options.floats else { return }
    let text = value.isNaN ? nan : value.sign == .minus ? negative : positive
    output.append(quoted: text, escapingSlashes: escapesSlashes)
  }

  @inline(never)
  func nonConforming(_ value: some Any, _ path: [any CodingKey]) -> any Error {
    EncodingError.invalidValue(
      value, .init(codingPath: path, debugDescription: "Unable to encode \(type(of: value)).\(value) directly in JSON.")
    )
  }
}
