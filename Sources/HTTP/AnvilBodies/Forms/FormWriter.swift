internal import AnvilBase
internal import AnvilJSON

/// Writes the members of a JSON object as the pairs of a form.
struct FormWriter {
  let arrays: URLForm.Encoder.ArrayStyle
  let bools: URLForm.Encoder.BoolStyle
  /// The pairs written so far.
  private(set) var pairs: [URLForm.Encoder.Pair] = []
  private var path: [any CodingKey] = []

  init(arrays: URLForm.Encoder.ArrayStyle, bools: URLForm.Encoder.BoolStyle) {
    self.arrays = arrays
    self.bools = bools
  }

  /// Writes the members of `object`.
  ///
  /// - Parameter name: The path to the object; `nil` for the root.
  /// - Throws: `EncodingError.invalidValue` for keys that a form cannot represent and for array elements that write no pairs.
  mutating func write(_ object: JSON, name: String? = nil) throws {
    for (key, value) in object.members {
      path.append(MemberKey(stringValue: key))
      guard !key.isEmpty, !key.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }) else {
        throw invalid(
          key, "A form cannot represent a key that is empty or contains a bracket. Pass pairs to write names unchanged."
        )
      }
      try write(value: value, name: name.map { "\($0)[\(key)]" } ?? key)
      path.removeLast()
    }
  }

  private mutating func write(value: JSON, name: String) throws {
    switch value.kind {
    case .null: break
    case .bool:
      append(bools == .words ? (value.bool == true ? "true" : "false") : (value.bool == true ? "1" : "0"), name)
    case .number: append(value.numberText ?? "", name)
    case .string: append(value.string ?? "", name)
    case .array: try write(elements: value.elements, name: name)
    case .object: try write(value, name: name)
    }
  }

  private mutating func write(elements: JSON.Elements, name: String) throws {
    let isFlat = elements.allSatisfy { $0.kind != .array && $0.kind != .object }
    for (index, element) in elements.enumerated() {
      path.append(IndexKey(index))
      let count = pairs.count
      switch isFlat ? arrays : .indices {
      case .brackets: try write(value: element, name: name + "[]")
      case .indices: try write(value: element, name: "\(name)[\(index)]")
      case .repeated: try write(value: element, name: name)
      }
      guard pairs.count > count else {
        throw invalid(
          element, "A form omits null and empty values, which would shift the elements after this one.")
      }
      path.removeLast()
    }
  }

  private mutating func append(_ value: String, _ name: String) {
    pairs.append((name, value))
  }

  private func invalid(_ value: Any, _ reason: String) -> EncodingError {
    .unencodable(value, at: path, reason)
  }
}

/// A key of the JSON object, used in the coding path of an error.
private struct MemberKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
