/// The names of enumerations' cases in Swift.
enum EnumCaseName {
  /// The name of the case that `key` is: `createdAt` for `case createdAt = "created_at"`; the key's text for other keys.
  static func of(_ key: some CodingKey) -> String {
    guard case .enum = Mirror(reflecting: key).displayStyle, let name = unsafe caseName(key) else {
      return key.stringValue
    }
    // Safety: the runtime gives a NUL-terminated constant of the type's metadata.
    return unsafe String(cString: name)
  }
}

/// The runtime's own, by which `Mirror` and `print` name cases: a coding key's `description` hides it.
@_silgen_name("swift_EnumCaseName")
private func caseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
