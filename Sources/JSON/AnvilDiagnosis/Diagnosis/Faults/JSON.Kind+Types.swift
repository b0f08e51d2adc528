internal import AnvilJSON

extension JSON.Kind {
  /// Returns the kinds that `type` is decoded from if they are the same for all decoders, otherwise an empty array.
  static func kinds(of type: Any.Type) -> [JSON.Kind] {
    if type == [String: Any].self { return [.object] }
    if type == [Any].self { return [.array] }
    return kinds(ofTypeNamed: TypeName.of(type))
  }
}
