// Each integer type implements the requirement itself: a default for all of them would conflict with that of `Encodable` types.

extension Int: JSONEncodable {
  /// Writes a number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension Int8: JSONEncodable {
  /// Writes a number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension Int16: JSONEncodable {
  /// Writes a number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension Int32: JSONEncodable {
  /// Writes a number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension Int64: JSONEncodable {
  /// Writes a number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension Int128: JSONEncodable {
  /// Writes a number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension UInt: JSONEncodable {
  /// Writes a number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension UInt8: JSONEncodable {
  /// Writes a number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension UInt16: JSONEncodable {
  /// Writes a number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension UInt32: JSONEncodable {
  /// Writes a number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension UInt64: JSONEncodable {
  /// Writes a number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}

extension UInt128: JSONEncodable {
  /// Writes a number.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(integer: self)
  }
}
