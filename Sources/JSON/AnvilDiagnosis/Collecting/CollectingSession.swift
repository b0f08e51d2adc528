internal import AnvilJSON

/// A single pass over a document that looks for faults. It decodes as usual, except that values known to be wrong or missing are replaced
/// by placeholders.
///
/// Errors are thrown as `JSON.Decoder` throws them, and the model's code may catch them. Arrays and dictionaries continue after an element
/// that fails, and throw the errors of all elements at the end.
final class CollectingSession {
  /// A value that is being decoded.
  struct Frame {
    let index: Int
    /// The ``CollectingSession/influence`` at the start of the value.
    let influence: Int
  }

  /// The faults of an error that cannot carry them. A caught error is this one if it has the same text and no operation of a container has
  /// followed.
  struct InFlight {
    let faults: [RaisedFault]
    let text: String
    let operations: Int
  }

  /// Reads scalars, finds members and makes errors.
  let base: ValueReader
  /// The positions of the wrong or missing values that are replaced by placeholders.
  let substituted: Set<RaisedFault.Slot>
  let variant: Placeholders.Variant
  /// The maximum number of faults in one container. If there are more, its remaining elements or members are not decoded.
  let faultLimit: Int
  let memory: CollectingMemory
  /// The number of placeholders, and of values left out, that may have influenced the code that runs now. While an element of an array is
  /// decoded, those in the elements before it are not counted, because they do not affect it.
  var influence = 0
  var frames: [Frame] = []
  /// True if a value was left out before all of it was decoded, so that it may contain further faults.
  var hasSkipped = false
  /// The number of calls to containers so far. If it has not changed since an error was thrown, the error is still being propagated.
  var operations = 0
  /// The last error of the model's own code, with its faults.
  var inFlight: InFlight?

  init(
    base: ValueReader, memory: CollectingMemory, substituted: Set<RaisedFault.Slot>, variant: Placeholders.Variant,
    faultLimit: Int
  ) {
    self.base = base
    self.memory = memory
    self.substituted = substituted
    self.variant = variant
    self.faultLimit = faultLimit
  }

  func isSubstituted(_ slot: RaisedFault.Slot) -> Bool { !substituted.isEmpty && substituted.contains(slot) }

  /// Returns a placeholder for the wrong or missing value at `slot`.
  ///
  /// - Throws: an error if no placeholder can be made.
  @_semantics("optimize.sil.specialize.generic.never")
  func placeholder<T: Decodable>(_ type: T.Type, at slot: RaisedFault.Slot) throws -> T {
    influence += 1
    guard let value = placeholders(at: slot).make(type) else { throw unsubstitutable(at: slot) }
    return value
  }

  func placeholders(at slot: RaisedFault.Slot) -> Placeholders {
    Placeholders(variant, userInfo: base.options.userInfo, codingPath: base.codingPath(to: slot.index), memory: memory)
  }
}

/// The data that passes over the same document share.
final class CollectingMemory {
  var methods: [ObjectIdentifier: DecodingMethod] = [:]
  /// A valid value of each type that was decoded successfully.
  var samples: [ObjectIdentifier: Any] = [:]
}

extension CollectingSession {
  /// Returns the result of `read`. A `DecodingError` is rethrown with the fault that the value at `index` is not a valid `type`. Other
  /// errors are rethrown as they are.
  @_semantics("optimize.sil.specialize.generic.never")
  func raising<Value>(
    _ type: Any.Type, at index: Int, for property: ModelProperty?, _ read: () throws -> Value
  ) throws -> Value {
    do {
      return try read()
    } catch {
      guard let error = error as? DecodingError else { throw error }
      throw raised(error, type, at: index, for: property)
    }
  }

  /// Returns `error` with the fault that the value at `index` is not a `type`.
  func raised(
    _ error: DecodingError, _ type: Any.Type?, kinds: [JSON.Kind]? = nil, at index: Int, for property: ModelProperty?
  ) -> any Error {
    var fault = fault(at: .value(index), code(of: error, type, at: index))
    fault.requestedType = type
    fault.kinds = kinds
    fault.property = property
    if fault.code == .invalidValue { fault.reason = error.context.debugDescription }
    return error.carrying([fault])
  }

  private func code(of error: DecodingError, _ type: Any.Type?, at index: Int) -> JSON.Diagnosis.Code {
    if base.isNull(at: index) { return .unexpectedNull }
    guard case .dataCorrupted = error else { return .typeMismatch }
    return base.kind(at: index) == .number ? .numberOutOfRange : .invalidValue
  }

  func missing(_ slot: RaisedFault.Slot, _ type: Any.Type, for property: ModelProperty?) -> any Error {
    var fault = fault(at: slot, .missingElement)
    // Containers request these types. They are not types of the model.
    let ofContainers: [Any.Type] = [[String: Any].self, [Any].self, Never?.self, (any Swift.Decoder).self]
    if ofContainers.contains(where: { $0 == type }) {
      fault.kinds = JSON.Kind.kinds(of: type)
    } else {
      fault.requestedType = type
    }
    fault.property = property
    switch slot {
    case .element(let array, let position): return carrying(fault, base.atEnd(type, of: array, position))
    case .value(let object), .member(let object, _):
      fault.code = .missingKey
      let key = property?.key ?? DecodingKey(stringValue: "")
      return carrying(fault, base.missing(key, in: object))
    }
  }

  /// Returns the error for a wrong or missing value at `slot` for which no placeholder can be made.
  func unsubstitutable(at slot: RaisedFault.Slot) -> any Error {
    var fault = fault(at: slot, .invalidValue)
    fault.source = .placeholder
    return carrying(fault, base.corrupted("There is no placeholder.", at: slot.index))
  }

  private func carrying(_ fault: RaisedFault, _ error: any Error) -> any Error {
    (error as? DecodingError)?.carrying([fault]) ?? error
  }

  private func fault(at slot: RaisedFault.Slot, _ code: JSON.Diagnosis.Code) -> RaisedFault {
    RaisedFault(
      slot: slot, code: code, enclosing: frames.map(\.index),
      influenced: frames.last { influence > $0.influence }?.index)
  }

  /// Returns the fault for `error`, which the model's own code threw when it decoded the value of `frame` as a `type`.
  func refusal(_ error: any Error, of type: Any.Type, in frame: Frame, for property: ModelProperty?) -> RaisedFault {
    let isUnknownCase = rawValueIsRefused(by: type, at: frame.index)
    var fault = fault(at: .value(frame.index), isUnknownCase ? .unknownCase : .invalidValue)
    fault.source = influence > frame.influence ? .modelWithPlaceholder : .model
    fault.requestedType = type
    fault.property = property
    guard !isUnknownCase else { return fault }
    if let context = (error as? DecodingError)?.context {
      fault.reason = context.debugDescription
      fault.shown = deepestValue(on: context.codingPath, in: frame.index)
      if let error = error as? DecodingError, error.unknownCases != nil { fault.unknownCase = error }
    } else {
      fault.reason = "\(error)"
    }
    return fault
  }

  /// Returns the first of `errors` with the faults that the values at their indices, which have been decoded, were refused by the code that
  /// converts them; `nil` if `errors` is empty.
  func refused(_ errors: some Sequence<(index: Int, error: any Error)>, for property: ModelProperty?) -> (any Error)? {
    var first: DecodingError?
    let faults = errors.map { index, error in
      let located = error as? DecodingError ?? base.corrupted("\(error)", at: index) as? DecodingError
      first = first ?? located
      var fault = fault(at: .value(index), .invalidValue)
      fault.kinds = []
      fault.property = property
      fault.reason = located?.context.debugDescription
      fault.expectedForm = located?.context.expectedForm
      return fault
    }
    return first?.carrying(faults)
  }

  /// Returns `error` with the enumeration `type` as the requested type of its fault, if that was the raw type of `type`. Other errors are
  /// returned unchanged.
  func naming(_ type: Any.Type, at index: Int, in error: any Error, _ faults: [RaisedFault]) -> any Error {
    func rawType<T: RawRepresentable>(of type: T.Type) -> Any.Type { T.RawValue.self }
    guard let error = error as? DecodingError, faults.count == 1, var fault = faults.first,
      fault.slot == .value(index), fault.source == .container,
      fault.code == .typeMismatch || fault.code == .unexpectedNull,
      let representable = type as? any RawRepresentable.Type, fault.requestedType == rawType(of: representable)
    else { return error }
    fault.requestedType = type
    return error.carrying([fault])
  }

  /// Returns true if the value at `index` has the raw type of `type` but is not one of its raw values.
  private func rawValueIsRefused(by type: Any.Type, at index: Int) -> Bool {
    func isRefused<T: RawRepresentable>(by type: T.Type) -> Bool {
      guard let raw = T.RawValue.self as? any CollectedScalar.Type,
        let value = try? base.decode(raw, at: index) as? T.RawValue
      else { return false }
      return T(rawValue: value) == nil
    }
    guard let type = type as? any RawRepresentable.Type else { return false }
    return isRefused(by: type)
  }

  /// Returns the last existing value on `path` if it lies inside the value at `index` and is not that value itself.
  private func deepestValue(on path: [any CodingKey], in index: Int) -> Int? {
    var value = base.root
    for key in path {
      guard let next = self.value(at: key, in: value) else { break }
      value = next
    }
    return value > index && value < base.index(after: index) ? value : nil
  }

  private func value(at key: any CodingKey, in container: Int) -> Int? {
    switch base.kind(at: container) {
    case .array: key.intValue.flatMap { base.element($0, ofArrayAt: container) }
    case .object: base.members(ofObjectAt: container).value(of: DecodingKey(stringValue: key.stringValue))
    default: nil
    }
  }
}
