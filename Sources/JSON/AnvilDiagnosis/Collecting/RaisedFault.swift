internal import AnvilBase
internal import AnvilJSON

/// A fault as the error of one pass raises it, identified by indices of the tape. ``Fault`` is its description for a report.
///
/// A fault that is raised is not necessarily reported, since models may try one type after another. It counts only when the root
/// throws it.
struct RaisedFault {
  /// A position in the document: that of a value, or of a missing member or element. A placeholder can take the place of the value.
  enum Slot: Hashable {
    /// The value at an index of the tape.
    case value(Int)
    /// The missing member of the object at an index, identified by the model's key.
    case member(object: Int, key: String)
    /// The missing element number `position`, counted from 0, of the array at an index.
    case element(array: Int, position: Int)

    /// The index of the value, or of the container that lacks it.
    var index: Int {
      switch self {
      case .value(let index), .member(let index, _), .element(let index, _): index
      }
    }
  }

  enum Source {
    /// A container, which knows the position of the wrong or missing value.
    case container
    /// The model's own code, which has seen only values of the document.
    case model
    /// The model's own code, which has seen a placeholder and may have rejected the placeholder.
    case modelWithPlaceholder
    /// The collector itself: the value is known to be wrong or missing, but no placeholder can be made for it.
    case placeholder
  }

  let slot: Slot
  var source = Source.container
  var code: JSON.Diagnosis.Code
  /// The requested type; `nil` if a container was requested, or if the code only checked whether the value is `null`.
  var requestedType: Any.Type?
  /// The accepted kinds, if they do not follow from ``requestedType``.
  var kinds: [JSON.Kind]?
  var property: ModelProperty?
  /// The index of the value to show in a report, if it is not the value at ``slot``.
  var shown: Int?
  var reason: String?
  /// The form that the value should have, if a strategy of Anvil rejected it.
  var expectedForm: String?
  /// The error of the model's own code about a value that is not one of the cases of an enumeration.
  var unknownCase: DecodingError?
  /// The indices of the values that were being decoded, outermost first.
  let enclosing: [Int]
  /// The innermost of ``enclosing`` in which a placeholder was used before. Code that received the placeholder may have caused the fault.
  let influenced: Int?
}

/// The property of a model that a value is decoded for.
struct ModelProperty {
  let model: Any.Type?
  let key: (any CodingKey)?

  /// The property's name in Swift.
  var name: String? { key?.propertyName }
}

/// The underlying error that carries the faults. It stays with an error that the model's code catches and throws again later.
final class RaisedFaults: Error {
  let faults: [RaisedFault]

  init(_ faults: [RaisedFault]) { self.faults = faults }

  /// Returns the faults that `error` carries; `nil` for an error that no collecting container has made.
  static func carried(by error: any Error) -> [RaisedFault]? {
    ((error as? DecodingError)?.context.underlyingError as? RaisedFaults)?.faults
  }
}

extension RaisedFaults: @unchecked Sendable {
  // `Error` requires the conformance. The faults never change: they consist of slots, texts, metatypes and coding keys,
  // which decoders and models also pass around. Only the decoding that created them reads them, on its thread. A model
  // that keeps the error cannot access them, because the type is not public.
}

extension DecodingError {
  func carrying(_ faults: [RaisedFault]) -> DecodingError {
    with(
      Context(
        codingPath: context.codingPath, debugDescription: context.debugDescription,
        underlyingError: RaisedFaults(faults)))
  }
}

extension RaisedFault {
  func described(by reader: ValueReader) -> Fault {
    var fault = Fault(code, at: reader.steps(to: shown ?? slot.index))
    let options = reader.options
    switch slot {
    case .value: break
    case .member(_, let key):
      fault.missing = .key(options.keys.spelling(of: key))
      if let strategy = options.keys.name { fault.strategies.append("keyDecodingStrategy = \(strategy)") }
    case .element(_, let position): fault.missing = .index(position)
    }
    let requestedType = requestedType.map(Self.unwrapped)
    // A value rejected deeper inside does not have the type that was requested for the whole.
    if shown == nil {
      fault.expected = requestedType.map(TypeName.of) ?? kinds?.first.map(Self.phrase)
      fault.kinds = kinds ?? requestedType.map { Self.kinds(of: $0, options) } ?? []
    }
    let hasStrategy = requestedType == Date.self || requestedType == Data.self
    // The kind was right, or nothing is known to the contrary.
    if code == .invalidValue, source == .model, shown == nil, !hasStrategy { fault.kinds = [] }
    fault.model = property?.model.map(TypeName.of)
    fault.property = property?.name
    fault.reason = reason
    if let requestedType { fault.strategies += Self.strategies(for: requestedType, options) }
    if [.unknownCase, .typeMismatch, .unexpectedNull].contains(code), let requestedType {
      fault.choices = EnumMetadata.rawValues(of: requestedType)
    }
    if let expectedForm { fault.setForm(expectedForm, of: reader.kind(at: slot.index)) }
    if let unknownCase {
      fault.setCases(of: unknownCase)
      fault.expected = requestedType.map(TypeName.of)
      fault.reason = nil
    }
    if case .member = slot, let key = property?.key {
      fault.modelKeys = EnumMetadata.keys(besides: key).map(options.keys.spelling)
    }
    return fault
  }

  private static func phrase(_ kind: JSON.Kind) -> String {
    switch kind {
    case .array, .object: "an \(kind)"
    default: "a \(kind)"
    }
  }

  private static func unwrapped(_ type: Any.Type) -> Any.Type {
    var type = type
    while let optional = type as? any OptionalContainer.Type { type = optional.wrappedType }
    return type
  }

  /// Returns the kinds of value that `type` is decoded from; an empty array if they are not known.
  private static func kinds(of type: Any.Type, _ options: JSON.Decoder.Options) -> [JSON.Kind] {
    if type == Date.self {
      return switch options.dates {
      case .automatic: [.number, .string]
      case .iso8601, .rfc3339: [.string]
      case .deferredToDate, .secondsSince1970, .millisecondsSince1970: [.number]
      case .custom: []
      }
    }
    if type == Data.self {
      return switch options.data {
      case .base64: [.string]
      case .deferredToData: [.array]
      case .custom: []
      }
    }
    if type is any CollectedScalar.Type { return JSON.Kind.kinds(of: type) }
    if let container = type as? any CollectedContainer.Type { return container.kinds }
    func rawKinds<T: RawRepresentable>(_ type: T.Type) -> [JSON.Kind] { kinds(of: T.RawValue.self, options) }
    return (type as? any RawRepresentable.Type).map { rawKinds($0) } ?? []
  }

  private static func strategies(for type: Any.Type, _ options: JSON.Decoder.Options) -> [String] {
    if type == Date.self { return options.dates.name.map { ["dateDecodingStrategy = \($0)"] } ?? [] }
    if type == Data.self { return ["dataDecodingStrategy = \(options.data.name)"] }
    if type is any BinaryFloatingPoint.Type, case .convertFromString = options.floats {
      return ["nonConformingFloatDecodingStrategy = .convertFromString"]
    }
    return []
  }
}
