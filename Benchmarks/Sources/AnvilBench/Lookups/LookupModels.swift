/// A key of any name.
private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// Reads all members in the order of the text.
struct AllKeys: Decodable {
  var sum = 0

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    for key in container.allKeys { sum += try container.decode(Int.self, forKey: key) }
  }
}

/// Reads all members from the last to the first.
struct Backwards: Decodable {
  var sum = 0

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    for key in container.allKeys.reversed() { sum += try container.decode(Int.self, forKey: key) }
  }
}

/// Looks up as many keys as there are members; none of the keys exists.
struct AbsentKeys: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    for number in 0..<container.allKeys.count {
      _ = try container.decodeIfPresent(Int.self, forKey: AnyKey(stringValue: "absent_\(number)"))
    }
  }
}

/// Reads the objects in an object from the last to the first, and the members of each in the same way.
struct Children: Decodable {
  var sum = 0

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    for key in container.allKeys.reversed() { sum += try container.decode(Backwards.self, forKey: key).sum }
  }
}

/// Twenty properties that are not in the text.
struct AbsentOptionals: Decodable {
  var a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t: Int?
}

/// An ordinary model.
struct Small: Decodable {
  var a, bc, def, ghij, klmno, pqrstu, vwxyzab, cdefghij, klmnopqrs, tuvwxyzabc: Int
}
