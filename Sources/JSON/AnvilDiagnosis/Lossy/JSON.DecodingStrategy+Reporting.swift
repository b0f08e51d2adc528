public import AnvilJSON

/// Lenient decoding for mappings, with the same reports as for `Codable` types. Paths begin at the root of the document.
extension JSON.DecodingStrategy {
  /// Returns a strategy for an array that leaves out elements that do not decode. They are reported with the code
  /// ``DecodingReport/Code/skippedElement``.
  ///
  ///     people = try json => ("people", .array(skippingInvalid: report))
  ///
  /// The strategy throws `TypeMismatchError` for a value that is not an array.
  public static func array<Element: JSONDecodable & SendableMetatype>(
    skippingInvalid report: DecodingReport
  ) -> JSON.DecodingStrategy<Value> where Value == [Element] {
    array(of: JSON.DecodingStrategy<Element> { try Element.decode($0) }, skippingInvalid: report)
  }

  /// Returns a strategy for an array that leaves out elements that `strategy` cannot decode. They are reported with the code
  /// ``DecodingReport/Code/skippedElement``.
  ///
  /// The strategy throws `TypeMismatchError` for a value that is not an array.
  public static func array<Element>(
    of strategy: JSON.DecodingStrategy<Element>, skippingInvalid report: DecodingReport
  ) -> JSON.DecodingStrategy<Value> where Value == [Element] {
    let finder = PathFinder()
    return JSON.DecodingStrategy { json in
      guard json.kind == .array else { throw json.mismatch(.array) }
      var elements: [Element] = []
      json.forEachMember(skippingInvalid: .skippedElement, report, finder) { _, value in
        elements.append(try strategy.decode(value))
      }
      return elements
    }
  }

  /// Returns a strategy for a dictionary that leaves out members that do not decode. They are reported with the code
  /// ``DecodingReport/Code/skippedMember``. Of members with the same key, the first that decodes is kept.
  ///
  /// The strategy throws `TypeMismatchError` for a value that is not an object.
  public static func dictionary<Member: JSONDecodable & SendableMetatype>(
    skippingInvalid report: DecodingReport
  ) -> JSON.DecodingStrategy<Value> where Value == [String: Member] {
    let finder = PathFinder()
    return JSON.DecodingStrategy { json in
      guard json.kind == .object else { throw json.mismatch(.object) }
      var members: [String: Member] = [:]
      json.forEachMember(skippingInvalid: .skippedMember, report, finder) { step, value in
        guard case .key(let key) = step, members[key] == nil else { return }
        members[key] = try Member.decode(value)
      }
      return members
    }
  }

  /// Returns a strategy for an enumeration that keeps unknown raw values. They are reported with the code
  /// ``DecodingReport/Code/unknownCase``.
  public static func openEnum<Known: RawRepresentable & SendableMetatype>(
    reportingTo report: DecodingReport
  ) -> JSON.DecodingStrategy<Value> where Value == OpenEnum<Known>, Known.RawValue: JSONDecodable & SendableMetatype {
    let finder = PathFinder()
    return JSON.DecodingStrategy { json in
      let value = try OpenEnum<Known>.decode(json)
      if case .unknown = value { report.record { value.unknownCase(at: finder.path(of: json)) } }
      return value
    }
  }

  /// Returns a strategy for a number that may be in a string. A string is reported with the code
  /// ``DecodingReport/Code/numberFromString``.
  ///
  /// ``NumberOrString`` documents the accepted strings. The strategy throws `TypeMismatchError` for any other string.
  public static func numberOrString(
    reportingTo report: DecodingReport
  ) -> JSON.DecodingStrategy<Value> where Value: StringReadableNumber & JSONDecodable & SendableMetatype {
    let finder = PathFinder()
    return JSON.DecodingStrategy { json in
      if Value._isBoolean, let number = json.integer(as: Int.self), let value = Value.number(in: String(number)) {
        report.record { NumberOrString<Value>.fromNumber(String(number), at: finder.path(of: json)) }
        return value
      }
      guard json.kind == .string else { return try Value.decode(json) }
      let text = try String.decode(json)
      guard let number = Value.number(in: text) else { throw json.mismatch(Value.self) }
      report.record { NumberOrString<Value>.fromString(text, at: finder.path(of: json)) }
      return number
    }
  }
}

extension JSON {
  /// Returns the value at `path`, or `defaultValue` if the value is `null` or an optional step is missing. A use of the default is reported
  /// with the code ``DecodingReport/Code/defaultValue``.
  ///
  ///     let age = try json.value(ifPresentAt: "age", default: 18, reportingTo: report)
  ///
  /// - Throws: `JSONDecodingError`, as `JSON.value(ifPresentAt:)` does.
  public func value<Value: JSONDecodable>(
    ifPresentAt path: OptionalPath, default defaultValue: @autoclosure () -> Value, reportingTo report: DecodingReport
  ) throws -> Value {
    if let value: Value = try value(ifPresentAt: path) { return value }
    report.record {
      let isMissing = (try? value(at: Path(path)) as JSON) == nil
      return DecodingReport.Entry(
        .defaultValue, at: self.path.appending(Path(path)), isMissing ? "missing" : "null")
    }
    return defaultValue()
  }

  /// Calls `decode` with each member of this container. If it throws, an entry with `code` is added to `report`.
  fileprivate func forEachMember(
    skippingInvalid code: DecodingReport.Code, _ report: DecodingReport, _ finder: PathFinder,
    _ decode: (Step, JSON) throws -> Void
  ) {
    forEachMember { step, value in
      do {
        try decode(step, value)
      } catch {
        let path = finder.path(of: value)
        report.record(DecodingReport.Entry(code, at: path, error: root.locating(error, at: path, in: value)))
      }
    }
  }
}
