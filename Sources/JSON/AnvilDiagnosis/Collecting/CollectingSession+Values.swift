internal import AnvilBase
internal import AnvilJSON

enum DecodingMethod {
  case scalar(any CollectedScalar.Type)
  case container(any CollectedContainer.Type)
  case date
  case data
  /// By `init(from:)` of the type.
  case model
}

extension CollectingMemory {
  func method(of type: Any.Type) -> DecodingMethod {
    let identifier = ObjectIdentifier(type)
    if let method = methods[identifier] { return method }
    let method: DecodingMethod =
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
    methods[identifier] = method
    return method
  }
}

extension CollectingSession {
  /// This function and those that it calls are not specialized, because containers call them for 16 scalar types each.
  @_semantics("optimize.sil.specialize.generic.never")
  func decode<T: Decodable>(_ type: T.Type, at index: Int, for property: ModelProperty?) throws -> T {
    operations += 1
    if isSubstituted(.value(index)) { return try placeholder(type, at: .value(index)) }
    let value: Any
    switch memory.method(of: type) {
    case .scalar: return try raising(type, at: index, for: property) { try base.decode(type, at: index) }
    case .container(let container):
      value = try framed(type, at: index, for: property) {
        try container.decodeCollecting(CollectingDecoder(session: self, index: index, property: property, type: type))
      }
    case .date: value = try date(at: index, for: property)
    case .data: value = try data(at: index, for: property)
    case .model:
      let before = influence
      let value = try framed(type, at: index, for: property) {
        try type.init(from: CollectingDecoder(session: self, index: index, property: property, type: type))
      }
      if influence == before, memory.samples[ObjectIdentifier(type)] == nil {
        memory.samples[ObjectIdentifier(type)] = value
      }
      return value
    }
    guard let value = value as? T else { throw base.mismatch(type, at: index) }
    return value
  }

  private func date(at index: Int, for property: ModelProperty?) throws -> Date {
    guard case .custom(let decode) = base.options.dates, !base.isNull(at: index) else {
      return try raising(Date.self, at: index, for: property) { try base.decode(Date.self, at: index) }
    }
    return try framed(Date.self, at: index, for: property) {
      try decode(CollectingDecoder(session: self, index: index, property: property, type: Date.self))
    }
  }

  private func data(at index: Int, for property: ModelProperty?) throws -> Data {
    let decoder = CollectingDecoder(session: self, index: index, property: property, type: Data.self)
    return switch base.options.data {
    case _ where base.isNull(at: index), .base64:
      try raising(Data.self, at: index, for: property) { try base.decode(Data.self, at: index) }
    case .deferredToData: try framed(Data.self, at: index, for: property) { try Data(from: decoder) }
    case .custom(let decode): try framed(Data.self, at: index, for: property) { try decode(decoder) }
    }
  }

  /// Calls `body` to decode the value at `index`. If the model's own code throws an error, the fault is recorded for this value.
  @_semantics("optimize.sil.specialize.generic.never")
  func framed<Value>(
    _ type: Any.Type, at index: Int, for property: ModelProperty?, _ body: () throws -> Value
  ) throws -> Value {
    let frame = Frame(index: index, influence: influence)
    frames.append(frame)
    defer { frames.removeLast() }
    do {
      return try body()
    } catch {
      if let faults = RaisedFaults.carried(by: error) {
        throw naming(type, at: index, in: error, faults)
      }
      if !isInFlight(error) { send(error, [refusal(error, of: type, in: frame, for: property)]) }
      throw error
    }
  }

  /// Returns the faults of `error`, which has just been thrown by decoding a value.
  func faults(of error: any Error) -> [RaisedFault] {
    if let faults = RaisedFaults.carried(by: error) { return faults }
    return isInFlight(error) ? inFlight?.faults ?? [] : []
  }

  private func isInFlight(_ error: any Error) -> Bool {
    guard let inFlight, inFlight.operations == operations else { return false }
    return inFlight.text == String(reflecting: error)
  }

  /// Records the faults of `error`, which is about to be thrown and cannot carry them itself.
  private func send(_ error: any Error, _ faults: [RaisedFault]) {
    inFlight = InFlight(faults: faults, text: String(reflecting: error), operations: operations)
  }

  /// Calls `decode` with each element or member of a container, regardless of errors in the others.
  ///
  /// - Throws: the first error, carrying the faults of all elements or members that failed. An element or member that is known to fail, and
  ///   for which no placeholder can be made, is left out.
  func forEachPart<Part>(_ parts: some Sequence<Part>, _ decode: (Part) throws -> Void) throws {
    let before = influence
    var given = 0
    var first: (any Error)?
    var faults: [RaisedFault] = []
    for part in parts {
      influence = before
      do {
        try decode(part)
      } catch {
        let new = self.faults(of: error)
        if isOnlyUnsubstitutable(new) {
          leaveOut(new)
        } else {
          first = first ?? error
          faults += new
        }
      }
      given += influence - before
      if faults.count > faultLimit { break }
    }
    influence = before + given
    guard let first else { return }
    throw joined(first, faults)
  }

  /// Returns true if there are faults, and the cause of each is that no placeholder could be made.
  func isOnlyUnsubstitutable(_ faults: [RaisedFault]) -> Bool {
    !faults.isEmpty && faults.allSatisfy { $0.source == .placeholder }
  }

  /// Records that a value was left out because of `faults`.
  func leaveOut(_ faults: [RaisedFault]) {
    influence += 1
    // In an enclosing value, the part after the bad slot has not been decoded.
    if faults.contains(where: { ($0.enclosing.last ?? -1) > (frames.last?.index ?? -1) }) { hasSkipped = true }
  }

  private func joined(_ error: any Error, _ faults: [RaisedFault]) -> any Error {
    if RaisedFaults.carried(by: error) != nil, let error = error as? DecodingError { return error.carrying(faults) }
    send(error, faults)
    return error
  }
}

/// A type with its own placeholder.
protocol PlaceholderValue: Decodable {
  static func placeholder(_ placeholders: Placeholders) -> Self
}

/// A type that is read from one value, without the code of a model.
protocol CollectedScalar: PlaceholderValue {}

extension CollectedScalar where Self: FixedWidthInteger {
  static func placeholder(_ placeholders: Placeholders) -> Self { Self(clamping: placeholders.number()) }
}

extension Int: CollectedScalar {}
extension Int8: CollectedScalar {}
extension Int16: CollectedScalar {}
extension Int32: CollectedScalar {}
extension Int64: CollectedScalar {}
extension Int128: CollectedScalar {}
extension UInt: CollectedScalar {}
extension UInt8: CollectedScalar {}
extension UInt16: CollectedScalar {}
extension UInt32: CollectedScalar {}
extension UInt64: CollectedScalar {}
extension UInt128: CollectedScalar {}

extension Bool: CollectedScalar {
  static func placeholder(_ placeholders: Placeholders) -> Bool { placeholders.number() > 0 }
}

extension String: CollectedScalar {
  static func placeholder(_ placeholders: Placeholders) -> String { placeholders.text() }
}

extension Double: CollectedScalar {
  static func placeholder(_ placeholders: Placeholders) -> Double { Double(placeholders.number()) }
}

extension Float: CollectedScalar {
  static func placeholder(_ placeholders: Placeholders) -> Float { Float(placeholders.number()) }
}

extension Decimal: CollectedScalar {
  static func placeholder(_ placeholders: Placeholders) -> Decimal { Decimal(placeholders.number()) }
}

extension URL: CollectedScalar {
  static func placeholder(_ placeholders: Placeholders) -> URL {
    URL(filePath: "/\(placeholders.text())", directoryHint: .isDirectory)
  }
}

extension JSON: CollectedScalar {
  static func placeholder(_ placeholders: Placeholders) -> JSON { placeholders.variant == .first ? nil : JSON(true) }
}

extension UUID: PlaceholderValue {
  static func placeholder(_ placeholders: Placeholders) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(clamping: placeholders.number())))
  }
}
