#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// How a type is decoded.
enum DecodingWay {
  case scalar(any CollectedScalar.Type)
  case container(any CollectedContainer.Type)
  case date
  case data
  /// By its own initialiser.
  case model
}

extension CollectingMemory {
  func way(of type: Any.Type) -> DecodingWay {
    let identifier = ObjectIdentifier(type)
    if let way = ways[identifier] { return way }
    let way: DecodingWay =
      if type == Date.self {
        .date
      } else if type == Data.self {
        .data
      } else if let scalar = type as? any CollectedScalar.Type {
        .scalar(scalar)
      } else if let container = type as? any CollectedContainer.Type {
        .container(container)
      } else {
        .model
      }
    ways[identifier] = way
    return way
  }
}

/// Values of any type.
extension CollectingSession {
  /// The value at `index`.
  func decode<T: Decodable>(_ type: T.Type, at index: Int, for asker: Asker?) throws -> T {
    operations += 1
    if isSubstituted(.value(index)) { return try placeholder(type, at: .value(index)) }
    let value: Any
    switch memory.way(of: type) {
    case .scalar(let scalar):
      value = try raising(type, at: index, for: asker) { try scalar.read(by: base, at: index) }
    case .container(let container):
      value = try framed(type, at: index, for: asker) {
        try container.decodeCollecting(CollectingDecoder(session: self, index: index, asker: asker, type: type))
      }
    case .date: value = try date(at: index, for: asker)
    case .data: value = try data(at: index, for: asker)
    case .model:
      let before = influence
      let value = try framed(type, at: index, for: asker) {
        try type.init(from: CollectingDecoder(session: self, index: index, asker: asker, type: type))
      }
      if influence == before, memory.samples[ObjectIdentifier(type)] == nil {
        memory.samples[ObjectIdentifier(type)] = value
      }
      return value
    }
    guard let value = value as? T else { throw base.mismatch(type, at: index) }
    return value
  }

  private func date(at index: Int, for asker: Asker?) throws -> Date {
    guard case .custom(let decode) = base.options.dates, !tape[index].is(.null) else {
      return try raising(Date.self, at: index, for: asker) { try base.date(at: index) }
    }
    return try framed(Date.self, at: index, for: asker) {
      try decode(CollectingDecoder(session: self, index: index, asker: asker, type: Date.self))
    }
  }

  private func data(at index: Int, for asker: Asker?) throws -> Data {
    let decoder = CollectingDecoder(session: self, index: index, asker: asker, type: Data.self)
    guard !tape[index].is(.null) else {
      return try raising(Data.self, at: index, for: asker) { try base.data(at: index) }
    }
    switch base.options.data {
    case .base64: return try raising(Data.self, at: index, for: asker) { try base.data(at: index) }
    case .deferredToData: return try framed(Data.self, at: index, for: asker) { try Data(from: decoder) }
    case .custom(let decode): return try framed(Data.self, at: index, for: asker) { try decode(decoder) }
    }
  }

  /// What `body` decodes as the value at `index`. An error of the model's own is noted with this place.
  func framed<Value>(
    _ type: Any.Type, at index: Int, for asker: Asker?, _ body: () throws -> Value
  ) throws -> Value {
    let frame = Frame(index: index, influence: influence)
    frames.append(frame)
    defer { frames.removeLast() }
    do {
      return try body()
    } catch {
      if let problems = RaisedProblems.carried(by: error) {
        throw naming(type, at: index, in: error, problems)
      }
      if !isInFlight(error) { send(error, [refusal(error, of: type, in: frame, for: asker)]) }
      throw error
    }
  }

  /// The problems of `error`, which has just been thrown by decoding a value.
  func problems(of error: any Error) -> [Problem] {
    if let problems = RaisedProblems.carried(by: error) { return problems }
    return isInFlight(error) ? inFlight?.problems ?? [] : []
  }

  private func isInFlight(_ error: any Error) -> Bool {
    guard let inFlight, inFlight.operations == operations else { return false }
    return inFlight.text == String(reflecting: error)
  }

  /// Says that `error`, which cannot carry them, is on its way with `problems`.
  private func send(_ error: any Error, _ problems: [Problem]) {
    inFlight = InFlight(problems: problems, text: String(reflecting: error), operations: operations)
  }
}

// MARK: - Several errors in one

extension CollectingSession {
  /// Decodes the parts of a container one after another, each of them whatever happens to the others.
  ///
  /// - Throws: what the first part that fails throws, carrying the problems of all. A part of which is known that it
  ///   fails and for which there is no placeholder is left out.
  func forEachPart<Part>(_ parts: some Sequence<Part>, _ decode: (Part) throws -> Void) throws {
    let before = influence
    var given = 0
    var first: (any Error)?
    var problems: [Problem] = []
    for part in parts {
      influence = before
      do {
        try decode(part)
      } catch {
        let new = self.problems(of: error)
        if isOnlyUnsubstitutable(new) {
          leaveOut(new)
        } else {
          first = first ?? error
          problems += new
        }
      }
      given += influence - before
      if problems.count > problemLimit { break }
    }
    influence = before + given
    guard let first else { return }
    throw joined(first, problems)
  }

  /// Whether all that is wrong is that there are no placeholders.
  func isOnlyUnsubstitutable(_ problems: [Problem]) -> Bool {
    !problems.isEmpty
      && problems.allSatisfy { if case .placeholder = $0.source { true } else { false } }
  }

  /// Says that a value is left out, of which `problems` were all that was found.
  func leaveOut(_ problems: [Problem]) {
    influence += 1
    // What stands behind the bad place in a value around it is not seen.
    if problems.contains(where: { ($0.enclosing.last ?? -1) > (frames.last?.index ?? -1) }) { hasSkipped = true }
  }

  private func joined(_ error: any Error, _ problems: [Problem]) -> any Error {
    if RaisedProblems.carried(by: error) != nil, let error = error as? DecodingError { return error.carrying(problems) }
    send(error, problems)
    return error
  }
}
