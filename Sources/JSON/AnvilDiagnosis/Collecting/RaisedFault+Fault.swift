internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension RaisedFault {
  /// Returns the fault's description for a report.
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
    if code == .invalidValue, source == .model, shown == nil, fault.kinds.isEmpty == false, requestedType != Date.self,
      requestedType != Data.self
    {
      // The kind was right, or nothing is known to the contrary.
      fault.kinds = []
    }
    fault.model = property?.model.map(TypeName.of)
    fault.property = property?.name
    fault.reason = reason
    if let requestedType { fault.strategies += Self.strategies(for: requestedType, options) }
    if [.unknownCase, .typeMismatch, .unexpectedNull].contains(code), let requestedType {
      fault.choices = EnumMetadata.rawValues(of: requestedType)
    }
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
      if let format = options.dates.format { return [format.kind] }
      switch options.dates {
      case .automatic: return [.number, .string]
      case .custom: return []
      default: return [.number]
      }
    }
    if type == Data.self {
      return switch options.data {
      case .base64: [.string]
      case .deferredToData: [.array]
      case .custom: []
      }
    }
    if let scalar = type as? any CollectedScalar.Type { return scalar.kinds }
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
