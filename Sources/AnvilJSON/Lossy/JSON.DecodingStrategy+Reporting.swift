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
    array(of: JSON.DecodingStrategy<Element> { try Element.decode($0) }, skippingInvalid: report)
  }

  /// An array of the elements that `strategy` can make; the others are left out, and reported with the code
  /// ``DecodingReport/Code/skippedElement``.
  ///
  /// The strategy throws ``TypeMismatchError`` for what is no array.
  public static func array<Element>(
    of strategy: JSON.DecodingStrategy<Element>, skippingInvalid report: DecodingReport
  ) -> JSON.DecodingStrategy<Value> where Value == [Element] {
    let finder = PathFinder()
    return JSON.DecodingStrategy { json in
      guard json.word.is(.array) else { throw json.mismatch(.array) }
      var elements: [Element] = []
      json.forEachMember(skippingInvalid: .skippedElement, report, finder) { _, value in
        elements.append(try strategy.decode(value))
      }
      return elements
    }
  }

  /// A dictionary of the members that decode, of those that share a key the first; the others are left out, and reported with
  /// the code ``DecodingReport/Code/skippedMember``.
  ///
  /// The strategy throws ``TypeMismatchError`` for what is no object.
  public static func dictionary<Member: JSONDecodable & SendableMetatype>(
    skippingInvalid report: DecodingReport
  ) -> JSON.DecodingStrategy<Value> where Value == [String: Member] {
    let finder = PathFinder()
    return JSON.DecodingStrategy { json in
      guard json.word.is(.object) else { throw json.mismatch(.object) }
      var members: [String: Member] = [:]
      json.forEachMember(skippingInvalid: .skippedMember, report, finder) { step, value in
        guard case .key(let key) = step, members[key] == nil else { return }
        members[key] = try Member.decode(value)
      }
      return members
    }
  }

  /// A case, or a raw value without one, which is reported with the code ``DecodingReport/Code/unknownCase``.
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

  /// A number, or what a string holds, which is reported with the code ``DecodingReport/Code/numberFromString``.
  ///
  /// Which strings hold a number ``NumberOrString`` says. The strategy throws ``TypeMismatchError`` for any other string.
  public static func numberOrString(
    reportingTo report: DecodingReport
  ) -> JSON.DecodingStrategy<Value> where Value: StringReadableNumber & JSONDecodable & SendableMetatype {
    let finder = PathFinder()
    return JSON.DecodingStrategy { json in
      guard json.word.isString else { return try Value.decode(json) }
      let text = try String.decode(json)
      guard let number = Value.number(in: text) else { throw json.mismatch(Value.self) }
      report.record { NumberOrString<Value>.fromString(text, at: finder.path(of: json)) }
      return number
    }
  }
}

extension JSON {
  /// The value at `path`; where a step that may be missing is, and for `null`, `defaultValue`, which is reported with the code
  /// ``DecodingReport/Code/defaultValue``.
  ///
  ///     let age = try json.value(ifPresentAt: "age", default: 18, reportingTo: report)
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

  /// Calls `decode` with each member of this container; where it throws, `report` gets an entry with `code`.
  fileprivate func forEachMember(
    skippingInvalid code: DecodingReport.Code, _ report: DecodingReport, _ finder: PathFinder,
    _ decode: (Step, JSON) throws -> Void
  ) {
    forEachMember { step, index in
      let value = JSON(document, at: index)
      do {
        try decode(step, value)
      } catch {
        let path = finder.path(of: value)
        report.record(DecodingReport.Entry(code, at: path, error: root.locating(error, at: path, index: index)))
      }
    }
  }
}
