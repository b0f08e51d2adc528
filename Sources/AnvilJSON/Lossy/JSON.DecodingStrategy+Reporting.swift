/// Lenient decoding in the mapping, with the same reports as for `Codable` types. Paths begin at the root of the document.
extension JSON.DecodingStrategy {
  /// An array of the elements that decode; the others are left out, and reported with the code
  /// ``DecodingReport/Code/skippedElement``.
  ///
  ///     people = try json => ("people", .array(skippingInvalid: report))
  ///
  /// The strategy throws ``TypeMismatchError`` for what is no array.
  public static func array<Element: JSONDecodable & SendableMetatype>(
    skippingInvalid report: DecodingReport
  ) -> JSON.DecodingStrategy<Value> where Value == [Element] {
    JSON.DecodingStrategy { try $0.decodeElements(skippingInvalid: report) { try Element.decode($0) } }
  }

  /// An array of the elements that `strategy` can make; the others are left out, and reported with the code
  /// ``DecodingReport/Code/skippedElement``.
  ///
  /// The strategy throws ``TypeMismatchError`` for what is no array.
  public static func array<Element>(
    of strategy: JSON.DecodingStrategy<Element>, skippingInvalid report: DecodingReport
  ) -> JSON.DecodingStrategy<Value> where Value == [Element] {
    JSON.DecodingStrategy { try $0.decodeElements(skippingInvalid: report, strategy.decode) }
  }

  /// A dictionary of the members that decode, of those that share a key the first; the others are left out, and reported with
  /// the code ``DecodingReport/Code/skippedMember``.
  ///
  /// The strategy throws ``TypeMismatchError`` for what is no object.
  public static func dictionary<Member: JSONDecodable & SendableMetatype>(
    skippingInvalid report: DecodingReport
  ) -> JSON.DecodingStrategy<Value> where Value == [String: Member] {
    JSON.DecodingStrategy { try $0.decodeMembers(skippingInvalid: report) { try Member.decode($0) } }
  }

  /// A case, or a raw value without one, which is reported with the code ``DecodingReport/Code/unknownCase``.
  public static func openEnum<Known: RawRepresentable & SendableMetatype>(
    reportingTo report: DecodingReport
  ) -> JSON.DecodingStrategy<Value> where Value == OpenEnum<Known>, Known.RawValue: JSONDecodable & SendableMetatype {
    JSON.DecodingStrategy { json in
      let value = try OpenEnum<Known>.decode(json)
      if case .unknown = value { report.record { value.unknownCase(at: json.path) } }
      return value
    }
  }

  /// A number, or what a string holds, which is reported with the code ``DecodingReport/Code/numberFromString``.
  ///
  /// Which strings hold a number ``NumberOrString`` says. The strategy throws ``TypeMismatchError`` for any other string.
  public static func numberOrString(
    reportingTo report: DecodingReport
  ) -> JSON.DecodingStrategy<Value> where Value: StringReadableNumber & JSONDecodable & SendableMetatype {
    JSON.DecodingStrategy { json in
      guard json.word.isString else { return try Value.decode(json) }
      let text = try String.decode(json)
      guard let number = Value.number(in: text) else { throw json.mismatch(Value.self) }
      report.record { NumberOrString<Value>.fromString(text, at: json.path) }
      return number
    }
  }
}

extension JSON {
  /// The value at `path`; where a step that may be missing is, and for `null`, `defaultValue`, which is reported with the code
  /// ``DecodingReport/Code/defaultValue``.
  ///
  ///     let age = try json.value(at: =>? "age", default: 18, reportingTo: report)
  ///
  /// - Throws: ``JSONDecodingError``, as ``value(ifPresentAt:)``.
  public func value<Value: JSONDecodable>(
    ifPresentAt path: OptionalPath, default defaultValue: @autoclosure () -> Value, reportingTo report: DecodingReport
  ) throws -> Value {
    if let value: Value = try value(ifPresentAt: path) { return value }
    report.record {
      let isMissing = document.value(at: Path(path), from: index).index < 0
      return DecodingReport.Entry(
        .defaultValue, at: self.path.appending(Path(path)), isMissing ? "missing" : "null")
    }
    return defaultValue()
  }

  fileprivate func decodeElements<Element>(
    skippingInvalid report: DecodingReport, _ decode: (JSON) throws -> Element
  ) throws -> [Element] {
    guard word.is(.array) else { throw mismatch(.array) }
    var elements: [Element] = []
    try decodeMembers { path, error in
      report.record(DecodingReport.Entry(.skippedElement, at: path, error: error))
    } _: { _, value in
      elements.append(try decode(value))
    }
    return elements
  }

  fileprivate func decodeMembers<Member>(
    skippingInvalid report: DecodingReport, _ decode: (JSON) throws -> Member
  ) throws -> [String: Member] {
    guard word.is(.object) else { throw mismatch(.object) }
    var members: [String: Member] = [:]
    try decodeMembers { path, error in
      report.record(DecodingReport.Entry(.skippedMember, at: path, error: error))
    } _: { step, value in
      guard case .key(let key) = step, members[key] == nil else { return }
      members[key] = try decode(value)
    }
    return members
  }
}
