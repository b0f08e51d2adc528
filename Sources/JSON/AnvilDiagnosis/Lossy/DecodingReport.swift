public import AnvilBase
public import AnvilJSON
internal import Synchronization

/// A record of the actions of lenient types during decoding: the values they left out, replaced or converted, and the reasons.
///
///     let report = DecodingReport()
///     let page = try decoder.reporting(to: report).decode(Page.self, from: data)
///     for entry in report.entries { logger.notice("\(entry)") }
///
/// ``LossyArray``, ``LossyDictionary``, ``OpenEnum``, ``DefaultValue`` and ``NumberOrString`` report to the instance in their
/// decoder's `userInfo`, under ``Swift/CodingUserInfoKey/decodingReport``. Without one they behave the same but record nothing.
/// Any decoder with a `userInfo` can be used, including Foundation's.
///
/// A value that is decoded twice is reported once for each code: the later entry replaces the earlier one. If an element is left out as a
/// whole, the entries from inside it are removed. If any other decoding fails and the error is caught, its entries remain.
///
/// A report can be used from several tasks at once. Their entries are then mixed.
public final class DecodingReport: Sendable {
  fileprivate struct Key: Hashable {
    let code: Code
    let path: JSON.Path
  }

  fileprivate struct State {
    var entries: [Entry] = []
    /// The positions in ``entries``, by code and path.
    var places: [Key: Int] = [:]
    var omittedCount = 0
  }

  /// The maximum number of entries. Further ones are only counted, so that no input can exhaust the memory.
  let problemLimit: Int

  private let state = Mutex(State())
  /// Another report, to which all entries of this one are forwarded.
  private let next: DecodingReport?

  /// Creates an empty report.
  ///
  /// - Parameter problemLimit: the maximum number of entries, 1000 by default. A negative number counts as 0.
  public init(problemLimit: Int = 1000) {
    self.problemLimit = max(0, problemLimit)
    next = nil
  }

  init(forwardingTo next: DecodingReport?) {
    problemLimit = 1000
    self.next = next
  }

  /// The recorded entries in the order of decoding, at most as many as the report was created for.
  public var entries: [Entry] { state.withLock(\.entries) }

  /// The number of entries that were not kept. Among these, a value that is decoded twice counts twice.
  public var omittedCount: Int { state.withLock(\.omittedCount) }

  /// A Boolean value that indicates whether nothing was reported.
  package var isEmpty: Bool { state.withLock { $0.entries.isEmpty && $0.omittedCount == 0 } }

  /// Records `entry`, replacing an earlier entry with the same code and path.
  package func record(_ entry: Entry) {
    let key = Key(code: entry.code, path: entry.path)
    next?.record(entry)
    state.withLock { state in
      if entry.code.coversItsMembers { state.removeLatest(inside: entry.path) }
      if let place = state.places[key] {
        state.entries[place] = entry
      } else if state.entries.count < problemLimit {
        state.places[key] = state.entries.count
        state.entries.append(entry)
      } else {
        state.omittedCount &+= 1
      }
    }
  }
}

extension DecodingReport.State {
  /// Removes the entries at the end of the list whose values are inside the value at `path`. Each entry is removed at most once, so the
  /// total cost is no more than that of recording.
  fileprivate mutating func removeLatest(inside path: JSON.Path) {
    let steps = path.steps
    while let last = entries.last, case let inner = last.path.steps, inner.count > steps.count,
      inner.starts(with: steps)
    {
      places[DecodingReport.Key(code: last.code, path: last.path)] = nil
      entries.removeLast()
    }
  }
}

extension DecodingReport: CustomStringConvertible {
  /// The entries, one per line, and the number of omitted ones; safe to log.
  public var description: String { lines(\.description) }

  /// The entries with their values and errors, one per line, and the number of omitted ones.
  public var detailedDescription: String { lines(\.detailedDescription) }

  private func lines(_ text: (Entry) -> String) -> String {
    let (entries, omittedCount) = state.withLock { ($0.entries, $0.omittedCount) }
    return (entries.map(text) + (omittedCount > 0 ? ["and \(omittedCount) more"] : [])).joined(separator: "\n")
  }
}

extension CodingUserInfoKey {
  /// The key under which lenient types find the ``DecodingReport`` of their decoder.
  ///
  ///     let decoder = JSONDecoder()
  ///     decoder.userInfo[.decodingReport] = report
  public static let decodingReport: CodingUserInfoKey = {
    guard let key = CodingUserInfoKey(rawValue: "Anvil.DecodingReport") else {
      preconditionFailure("Every text is a key.")
    }
    return key
  }()
}

extension Swift.Decoder {
  /// The report that records the actions of lenient types; `nil` if none is set.
  var report: DecodingReport? { userInfo[.decodingReport] as? DecodingReport }

  var path: JSON.Path { JSON.Path(codingPath: codingPath) }
}

extension JSON.Path {
  package init(codingPath: [any CodingKey]) {
    self.init(steps: codingPath.map(JSON.Step.init(key:)))
  }
}

extension JSON.Step {
  /// Creates the step for `key`. A key is an element's index only if its text is that of an index, `Index 3`. Keys of
  /// enumerations, and of dictionaries with numeric keys, may also have a number, but remain keys.
  fileprivate init(key: any CodingKey) {
    if let index = key.intValue, key.stringValue == "Index \(index)" {
      self = .index(index)
    } else {
      self = .key(key.stringValue)
    }
  }
}

extension DecodingReport {
  /// The action that was taken, as a word for code, logs and alerts: `lossy.skipped-element`. New codes may be added.
  @nonexhaustive
  public enum Code: String, Hashable, Sendable, CustomStringConvertible {
    /// An element that does not decode was left out of an array.
    case skippedElement = "lossy.skipped-element"
    /// A member whose value, or key, does not decode was left out of a dictionary.
    case skippedMember = "lossy.skipped-member"
    /// A raw value that matches no case of an enumeration was kept unchanged.
    case unknownCase = "lossy.unknown-case"
    /// A default replaced a missing or null value.
    case defaultValue = "lossy.default-value"
    /// A number or a Boolean was read from a string.
    case numberFromString = "lossy.number-from-string"
    /// A Boolean was read from the number 0 or 1.
    case booleanFromNumber = "lossy.boolean-from-number"

    /// The text of the code.
    public var description: String { rawValue }

    /// True if the value was left out as a whole, so that earlier entries from inside it no longer matter.
    var coversItsMembers: Bool { self == .skippedElement || self == .skippedMember }
  }

  /// A single action of a lenient type.
  public struct Entry: Sendable {
    /// The action that was taken.
    public let code: Code
    /// The path from the root of the decoded value, by coding keys. Keys longer than 200 bytes are cut.
    public let path: JSON.Path
    private let reason: Reason

    /// The reason for the action. It is formatted on request only, because most entries of a long report are never formatted.
    private enum Reason {
      case error(any Error)
      /// A description without values of the document. If there is a type, its name is appended to the description. `value` is the value
      /// that was replaced or converted.
      case words(String, type: Any.Type?, value: String?)
    }

    /// The error with which an element or a member failed to decode; `nil` if the action was not caused by an error.
    public var error: (any Error)? {
      if case .error(let error) = reason { error } else { nil }
    }

    /// Creates an entry for the value at `path` that was left out because of `error`.
    package init(_ code: Code, at path: JSON.Path, error: any Error) {
      self.code = code
      self.path = path.withShortKeys
      reason = .error(error)
    }

    /// Creates an entry for an action at `path`. The reason consists of `words` and the name of `type`. It contains no value of the
    /// document. `value` is the value that was replaced or converted.
    package init(
      _ code: Code, at path: JSON.Path, _ words: String, type: Any.Type? = nil, value: @autoclosure () -> String? = nil
    ) {
      self.code = code
      self.path = path.withShortKeys
      reason = .words(words, type: type, value: value().map { $0.shortened(to: 40) })
    }
  }
}

extension DecodingReport.Entry: CustomStringConvertible {
  /// The code, the path and the reason, safe to log: `lossy.skipped-element at people[3]: expected Int at people[3].id`.
  ///
  /// Keys are shown, values of the document are not.
  public var description: String { "\(code) at \(Self.place(path)): \(words)" }

  /// The description, followed by the value that was replaced or converted, or by the full text of the error.
  public var detailedDescription: String { detail.map { "\(description) (\($0))" } ?? description }

  private var words: String {
    switch reason {
    case .error(let error): Self.reason(of: error, at: path)
    case .words(let words, let type, _): words + (type.map(TypeName.of) ?? "")
    }
  }

  private var detail: String? {
    switch reason {
    case .error(let error): (error as? DecodingError)?.context.debugDescription ?? String(describing: error)
    case .words(_, _, let value): value?.quoted
    }
  }

  private static func place(_ path: JSON.Path) -> String { path.isRoot ? "the root" : path.description }

  /// Returns a description of `error`, for a value at `path`, that contains only types and keys.
  private static func reason(of error: any Error, at path: JSON.Path) -> String {
    switch error {
    case let error as DecodingError: problem(error) + place(JSON.Path(codingPath: error.context.codingPath), in: path)
    case let error as WrappedDecodingError:
      switch error.underlyingError {
      case let underlying as DecodingError: problem(underlying) + place(error.path, in: path)
      case let underlying: TypeName.of(type(of: underlying)) + place(error.path, in: path)
      }
    case let error as TypeMismatchError:
      "expected \(error.expected), found \(error.found)" + place(error.path, in: path)
    case let error as MissingKeyError: "missing \(error.key)" + place(error.path, in: path)
    case let error as RawRepresentableInitializationError: "not a case of \(error.type)" + place(error.path, in: path)
    case let error as any JSONDecodingError: TypeName.of(type(of: error)) + place(error.path, in: path)
    default: TypeName.of(type(of: error))
    }
  }

  private static func problem(_ error: DecodingError) -> String {
    switch error {
    case .typeMismatch(let type, _): "expected \(TypeName.of(type))"
    case .valueNotFound(let type, _): "expected \(TypeName.of(type)), found null"
    case .keyNotFound(let key, _): "missing \(JSON.Path(codingPath: [key]))"
    case .dataCorrupted: "invalid value"
    @unknown default: "not decodable"
    }
  }

  /// Returns ` at ` and the path `inner`; an empty string if `inner` is `path` itself or the root.
  private static func place(_ inner: JSON.Path, in path: JSON.Path) -> String {
    let inner = inner.withShortKeys
    return inner == path || inner.isRoot ? "" : " at \(inner)"
  }
}

extension JSON.Path {
  /// This path with long keys cut. Each entry has its own copy of the keys in its path, and compares them with other entries. A long key in
  /// a thousand entries would be slow to compare and occupy a thousand times its size.
  fileprivate var withShortKeys: JSON.Path {
    guard steps.contains(where: \.isLong) else { return self }
    return JSON.Path(
      steps: steps.map { step in
        guard step.isLong, case .key(let key) = step else { return step }
        return .key(String(decoding: key.utf8.prefix(JSON.Step.longestKey), as: UTF8.self) + "…")
      })
  }
}

extension JSON.Step {
  fileprivate static var longestKey: Int { 200 }

  fileprivate var isLong: Bool {
    if case .key(let key) = self { key.utf8.count > Self.longestKey } else { false }
  }
}

extension JSON.Decoder {
  /// Returns a decoder with the current strategies of this one, whose lenient types report to `report`.
  ///
  /// This decoder is not changed, so it can be used at the same time with other reports.
  public func reporting(to report: DecodingReport) -> JSON.Decoder {
    let decoder = copy()
    decoder.userInfo[.decodingReport] = report
    return decoder
  }

  /// Returns a copy of this decoder and the report of its lenient types. The current decoder's report receives the same entries.
  package func collectingReport() -> (decoder: JSON.Decoder, report: DecodingReport) {
    let report = DecodingReport(forwardingTo: userInfo[.decodingReport] as? DecodingReport)
    return (reporting(to: report), report)
  }

  /// Decodes one value of type `type` from all of `data`, and returns it with a report of its lenient types.
  ///
  ///     let (page, report) = try decoder.decodeReporting(Page.self, from: data)
  ///
  /// - Throws: the same errors as `decode(_:from:)`. To obtain the report in that case, or to set another limit, decode
  ///   with ``reporting(to:)``.
  public func decodeReporting<T: Decodable>(
    _ type: T.Type, from data: Data
  ) throws -> (value: T, report: DecodingReport) {
    let report = DecodingReport()
    return (try reporting(to: report).decode(type, from: data), report)
  }
}
