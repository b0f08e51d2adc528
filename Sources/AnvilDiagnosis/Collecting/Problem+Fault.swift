internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Problem {
  /// Returns the problem as a fault for a report.
  func fault(_ reader: ValueReader) -> Fault {
    var fault = Fault(code, at: reader.steps(to: shown ?? place.index))
    let options = reader.options
    switch place {
    case .value: break
    case .member(_, let key):
      fault.missing = .key(options.keys.spelling(of: key))
      if let strategy = options.keys.name { fault.strategies.append("keyDecodingStrategy = \(strategy)") }
    case .element(_, let position): fault.missing = .index(position)
    }
    let asked = asked.map(Self.unwrapped)
    // A value rejected deeper inside does not have the type that was requested for the whole.
    if shown == nil {
      fault.expected = asked.map(TypeName.of) ?? kinds?.first.map(Self.phrase)
      fault.kinds = kinds ?? asked.map { Self.kinds(of: $0, options) } ?? []
    }
    if code == .invalidValue, source == .model, shown == nil, fault.kinds.isEmpty == false, asked != Date.self,
      asked != Data.self
    {
      // The kind was right, or nothing is known to the contrary.
      fault.kinds = []
    }
    fault.model = asker?.model.map(TypeName.of)
    fault.property = asker?.property
    fault.reason = reason
    if let asked { fault.strategies += Self.strategies(for: asked, options) }
    if [.unknownCase, .typeMismatch, .unexpectedNull].contains(code), let asked {
      fault.choices = EnumShape.rawValues(of: asked)
    }
    if case .member = place, let key = asker?.key {
      fault.modelKeys = EnumShape.keys(besides: key).map(options.keys.spelling)
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
      if case .custom = options.dates { return [] }
      return [.number]
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
    if type == Date.self { return ["dateDecodingStrategy = \(options.dates.name)"] }
    if type == Data.self { return ["dataDecodingStrategy = \(options.data.name)"] }
    if type is any BinaryFloatingPoint.Type, case .convertFromString = options.floats {
      return ["nonConformingFloatDecodingStrategy = .convertFromString"]
    }
    return []
  }
}
