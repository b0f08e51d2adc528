extension JSON.Decoder.KeyDecodingStrategy {
  /// The strategy as it is written; `nil` for keys as they are.
  var name: String? {
    switch self {
    case .useDefaultKeys: nil
    case .convertFromSnakeCase: ".convertFromSnakeCase"
    case .custom: ".custom"
    }
  }

  /// `key`, which is the model's, as the text would have to spell it, as far as can be known.
  func spelling(of key: String) -> String {
    guard case .convertFromSnakeCase = self else { return key }
    let spelling = KeyConversion.toSnakeCase(key)
    return KeyConversion.fromSnakeCase(spelling) == key ? spelling : key
  }
}

extension JSON.Decoder.DateDecodingStrategy {
  /// The strategy as it is written.
  var name: String {
    switch self {
    case .deferredToDate: ".deferredToDate"
    case .secondsSince1970: ".secondsSince1970"
    case .millisecondsSince1970: ".millisecondsSince1970"
    case .iso8601: ".iso8601"
    case .custom: ".custom"
    }
  }
}

extension JSON.Decoder.DataDecodingStrategy {
  /// The strategy as it is written.
  var name: String {
    switch self {
    case .deferredToData: ".deferredToData"
    case .base64: ".base64"
    case .custom: ".custom"
    }
  }
}
