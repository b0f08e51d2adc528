internal import AnvilJSON

/// Takes an `Encodable` value apart into the attributes that are stored, in the order in which it encodes them.
///
/// A keyed value has an attribute for each of its coding keys. Numbers, text, dates and the like are stored as themselves,
/// and so is a value that encodes itself as one of them, such as an enumeration; everything else is stored as JSON. An
/// optional that is nil has the type that it would have, as far as the type says.
package struct RowEncoder {
  private let json = JSON.Encoder()

  package init() {}

  /// The attributes of `value`; of several for one key the last.
  ///
  /// - Throws: `EncodingError.invalidValue`, with the key, for a value that is not keyed, for NaN, and for whole numbers of
  ///   more than 64 bits; and whatever the value throws.
  package func attributes(of value: some Encodable) throws -> [Attribute] {
    let collector = AttributeCollector(json: json)
    try value.encode(to: AttributeEncoder(collector: collector))
    switch collector.shape {
    case .keyed: return collector.attributes
    case .pieces: return try attributes(piecedTogetherFrom: value, collector)
    case .other:
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "A stored value has attributes: it has to be keyed."))
    }
  }

  /// The attributes of a value that encodes some by containers of its own making: those are taken from its JSON.
  private func attributes(
    piecedTogetherFrom value: some Encodable, _ collector: AttributeCollector
  ) throws -> [Attribute] {
    let object = try JSON(parsing: json.encode(value))
    for key in collector.piecedKeys {
      guard let member = object[key] else { continue }
      collector.add(Attribute(key, .json, .text(member.serializedText())))
    }
    return collector.attributes
  }
}
