extension Optional: JSONDecodable where Wrapped: JSONDecodable {
  /// Returns the value; `nil` for `null`.
  @inlinable
  public static func decode(_ json: JSON) throws -> Wrapped? {
    json.document.isNull(at: json.index) ? nil : try Wrapped.decode(json)
  }
}

extension Array: JSONDecodable where Element: JSONDecodable {
  /// Returns the elements in order.
  ///
  /// - Throws: ``TypeMismatchError`` if the value is not an array. Otherwise the error of the first element that fails, with its index in
  ///   the path.
  /// - Complexity: O(*n*) plus the cost of the elements, where *n* is their number.
  @inlinable
  public static func decode(_ json: JSON) throws -> [Element] {
    let members = try json.members(of: .array)
    if members.first == members.end { return [] }
    if let numbers = try Self.decodeNumbers(json, members) { return numbers }
    var elements: [Element] = []
    elements.reserveCapacity(members.reservedCount)
    var next = members.first
    while next < members.end {
      do {
        elements.append(try Element.decode(JSON(json.document, at: next)))
      } catch {
        // Only the last element can be open, and what it lacks may arrive.
        if json.document.isOpen(at: next) { break }
        throw json.locating(error, at: JSON.Path(elements.count), index: next)
      }
      next = json.document.index(after: next)
    }
    return elements
  }
}

extension Array where Element: JSONDecodable {
  /// Returns the elements if they are of a type whose arrays are decoded by a specialised loop, and `nil` otherwise.
  ///
  /// This is decided at compile time, because the type is known in the caller.
  @inlinable @inline(__always)
  static func decodeNumbers(_ json: JSON, _ members: MemberRange) throws -> [Element]? {
    if Element.self == Double.self { return value(try json.decodeDoubles(members), ifOfType: Self.self) }
    if Element.self == Int.self { return value(try json.decodeIntegers(members), ifOfType: Self.self) }
    return nil
  }
}

extension Dictionary: JSONDecodable where Key == String, Value: JSONDecodable {
  /// Returns the members. If several members share a key, only the first is used. Keys are compared as Swift strings: `é` as one scalar
  /// equals `é` as two.
  ///
  /// - Throws: ``TypeMismatchError`` if the value is not an object. Otherwise the error of the first member that fails, with its key in the
  ///   path.
  /// - Complexity: O(*n*) plus the cost of the values, where *n* is the number of members.
  @inlinable
  public static func decode(_ json: JSON) throws -> [String: Value] {
    let members = try json.members(of: .object)
    if members.first == members.end { return [:] }
    var values: [String: Value] = Dictionary(minimumCapacity: members.reservedCount)
    var next = members.first
    while next < members.end {
      let key = json.document.key(at: next)
      next = json.document.index(after: next)
      do {
        let value = try Value.decode(JSON(json.document, at: next))
        if let first = values.updateValue(value, forKey: key) { values[key] = first }
      } catch {
        if json.document.isOpen(at: next) { break }
        guard values.index(forKey: key) != nil else { throw json.locating(error, at: JSON.Path(key), index: next) }
      }
      next = json.document.index(after: next)
    }
    return values
  }
}

/// The range of a container's members in the tape.
@usableFromInline
struct MemberRange: Sendable {
  /// The index of the first member; in an object, of its key.
  @usableFromInline let first: Int
  /// The index after the last member.
  @usableFromInline let end: Int
  /// The number of members to reserve memory for. It is limited, because a short text with many small values must not reserve
  /// gigabytes for large elements before the first one is decoded.
  @usableFromInline let reservedCount: Int
}

extension JSON {
  /// Returns the range of the members of this container.
  ///
  /// - Throws: ``TypeMismatchError`` if the value is not of the kind `kind`.
  @usableFromInline
  func members(of kind: Kind) throws -> MemberRange {
    let word = word
    guard word.is(kind == .array ? .array : .object) else { throw mismatch(kind) }
    return MemberRange(first: index + 1, end: index + word.span, reservedCount: min(word.count, 1 << 14))
  }

  @usableFromInline
  func decodeDoubles(_ members: MemberRange) throws -> [Double] {
    try decodeNumbers(members) { document, index in
      let word = document.tape[index]
      // The most common case, which ``Document/double(at:)`` reaches only after several checks.
      if word.is(.double), !word.isOutOfRange { return Double(bitPattern: document.tape[index &+ 1].bits) }
      return document.double(at: index)
    }
  }

  @usableFromInline
  func decodeIntegers(_ members: MemberRange) throws -> [Int] {
    try decodeNumbers(members) { document, index in document.integer(at: index) }
  }

  @inline(__always)
  private func decodeNumbers<Element>(
    _ members: MemberRange, _ decode: (Document, Int) -> Element?
  ) throws -> [Element] {
    var elements: [Element] = []
    // The count is limited by the size of the tape. (`init(unsafeUninitializedCapacity:)` would look up metadata for each
    // array, which takes 15 % more time for canada.)
    elements.reserveCapacity(document.count(ofContainerAt: index))
    var next = members.first
    while next < members.end {
      guard let element = decode(document, next) else {
        if document.isOpen(at: next) { break }
        throw locating(JSON(document, at: next).mismatch(Element.self), at: Path(elements.count), index: next)
      }
      elements.append(element)
      next &+= document.tape[next].span
    }
    return elements
  }
}

extension Document {
  @usableFromInline
  func isNull(at index: Int) -> Bool { tape[index].is(.null) }

  /// Returns the index after the value or key at `index`.
  @usableFromInline
  func index(after index: Int) -> Int { index &+ tape[index].span }

  @usableFromInline
  func key(at index: Int) -> String { string(at: index) }
}
