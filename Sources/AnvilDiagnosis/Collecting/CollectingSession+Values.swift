internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The method by which a type is decoded.
enum DecodingWay {
  case scalar(any CollectedScalar.Type)
  case container(any CollectedContainer.Type)
  case date
  case data
  /// The type's own initialiser.
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

/// Decoding of values of any type.
extension CollectingSession {
  /// Decodes the value at `index`.
  ///
  /// Neither this nor the functions that it calls are specialized: each container has a method for each of 16 scalars.
  @_semantics("optimize.sil.specialize.generic.never")
  func decode<T: Decodable>(_ type: T.Type, at index: Int, for asker: Asker?) throws -> T {
    operations += 1
    if isSubstituted(.value(index)) { return try placeholder(type, at: .value(index)) }
    let value: Any
    switch memory.way(of: type) {
    case .scalar: return try raising(type, at: index, for: asker) { try base.decode(type, at: index) }
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
    guard case .custom(let decode) = base.options.dates, !base.isNull(at: index) else {
      return try raising(Date.self, at: index, for: asker) { try base.decode(Date.self, at: index) }
    }
    return try framed(Date.self, at: index, for: asker) {
      try decode(CollectingDecoder(session: self, index: index, asker: asker, type: Date.self))
    }
  }

  private func data(at index: Int, for asker: Asker?) throws -> Data {
    let decoder = CollectingDecoder(session: self, index: index, asker: asker, type: Data.self)
    guard !base.isNull(at: index) else {
      return try raising(Data.self, at: index, for: asker) { try base.decode(Data.self, at: index) }
    }
    switch base.options.data {
    case .base64: return try raising(Data.self, at: index, for: asker) { try base.decode(Data.self, at: index) }
    case .deferredToData: return try framed(Data.self, at: index, for: asker) { try Data(from: decoder) }
    case .custom(let decode): return try framed(Data.self, at: index, for: asker) { try decode(decoder) }
    }
  }

  /// Decodes the value at `index` with `body`. An error thrown by the model's own code is recorded with this place.
  @_semantics("optimize.sil.specialize.generic.never")
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

  /// Returns the problems of `error`, which has just been thrown by decoding a value.
  func problems(of error: any Error) -> [Problem] {
    if let problems = RaisedProblems.carried(by: error) { return problems }
    return isInFlight(error) ? inFlight?.problems ?? [] : []
  }

  private func isInFlight(_ error: any Error) -> Bool {
    guard let inFlight, inFlight.operations == operations else { return false }
    return inFlight.text == String(reflecting: error)
  }

  /// Records `problems` for `error`, which is being thrown and cannot carry them itself.
  private func send(_ error: any Error, _ problems: [Problem]) {
    inFlight = InFlight(problems: problems, text: String(reflecting: error), operations: operations)
  }
}

// MARK: - Several errors in one

extension CollectingSession {
  /// Decodes all parts of a container one after another, regardless of errors in the others.
  ///
  /// - Throws: the error of the first part that fails, carrying the problems of all parts. A part that is known to fail, and for
  ///   which no placeholder can be made, is left out.
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

  /// Returns true if the only problems are missing placeholders.
  func isOnlyUnsubstitutable(_ problems: [Problem]) -> Bool {
    !problems.isEmpty
      && problems.allSatisfy { if case .placeholder = $0.source { true } else { false } }
  }

  /// Records that a value is left out for which `problems` were all that was found.
  func leaveOut(_ problems: [Problem]) {
    influence += 1
    // In an enclosing value, the part after the bad place has not been decoded.
    if problems.contains(where: { ($0.enclosing.last ?? -1) > (frames.last?.index ?? -1) }) { hasSkipped = true }
  }

  private func joined(_ error: any Error, _ problems: [Problem]) -> any Error {
    if RaisedProblems.carried(by: error) != nil, let error = error as? DecodingError { return error.carrying(problems) }
    send(error, problems)
    return error
  }
}
