internal import AnvilBase

extension URIReference {
  /// The identifier of the schema resource: the reference without its fragment.
  var resource: String {
    var resource = self
    resource.scheme = scheme?.lowercased()
    resource.fragment = nil
    return resource.description
  }
}
