internal import AnvilJSON

extension JSON.Decoder.KeyDecodingStrategy {
  /// The strategy as written in code; `nil` for unconverted keys.
  var name: String? {
    switch self {
    case .useDefaultKeys: nil
    case .convertFromSnakeCase: ".convertFromSnakeCase"
    case .custom: ".custom"
    }
  }

  /// Returns `key`, a coding key of the model, as it is spelled in the JSON text. Returns `key` unchanged if keys are not converted, or if
  /// the conversion cannot be reversed.
  func spelling(of key: String) -> String {
    guard case .convertFromSnakeCase = self else { return key }
    let spelling = KeyConversion.toSnakeCase(key)
    return KeyConversion.fromSnakeCase(spelling) == key ? spelling : key
  }
}

extension JSON.Decoder.DateDecodingStrategy {
  /// The strategy as written in code; `nil` for the default.
  var name: String? {
    switch self {
    case .automatic: nil
    case .deferredToDate: ".deferredToDate"
    case .secondsSince1970: ".secondsSince1970"
    case .millisecondsSince1970: ".millisecondsSince1970"
    case .iso8601: ".iso8601"
    case .rfc3339: ".rfc3339"
    case .custom: ".custom"
    }
  }
}

extension JSON.Decoder.DataDecodingStrategy {
  /// The strategy as written in code.
  var name: String {
    switch self {
    case .deferredToData: ".deferredToData"
    case .base64: ".base64"
    case .custom: ".custom"
    }
  }
}
