// Each integer has a witness of its own: a default for all of them would collide with that of `Encodable` types.

extension Int: JSONEncodable {
  /// A number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension Int8: JSONEncodable {
  /// A number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension Int16: JSONEncodable {
  /// A number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension Int32: JSONEncodable {
  /// A number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension Int64: JSONEncodable {
  /// A number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension Int128: JSONEncodable {
  /// A number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension UInt: JSONEncodable {
  /// A number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension UInt8: JSONEncodable {
  /// A number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension UInt16: JSONEncodable {
  /// A number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension UInt32: JSONEncodable {
  /// A number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension UInt64: JSONEncodable {
  /// A number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension UInt128: JSONEncodable {
  /// A number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}
