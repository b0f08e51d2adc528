import AnvilJSON
import Synchronization

extension FuzzTarget {
  /// The direct reader, driven by the text alone and by a program that calls it in any order.
  static let reader = FuzzTarget(name: "reader", repeated: .elements) { bytes in
    let json = try? JSON(parsing: bytes)
    let tree = Result { () throws(JSON.ReadingError) in try JSON.read(Walk.self, from: bytes) }
    switch tree {
    case .success(let walk):
      require(json.map { walk.value == $0 } ?? false, "read what is no JSON, or another value: \(walk.value)")
    case .failure(let error):
      require(json == nil, "refused what is JSON: \(error)")
      check(error, bytes)
    }
    let whole = Result { () throws(JSON.ReadingError) in try JSON.read(JSON.self, from: bytes) }
    require((try? whole.get()) == json, "read as a whole: \(whole)")

    // Half of the bytes are a text, half choose the calls.
    let program = Program(bytes: Array(bytes.prefix(bytes.count / 2)))
    Program.current.withLock { $0 = program }
    do throws(JSON.ReadingError) {
      _ = try JSON.read(Program.self, from: Array(bytes.suffix(bytes.count / 2)))
    } catch {
      check(error, bytes)
    }
  } growth: { bytes in
    _ = try? JSON.read(Walk.self, from: bytes)
    _ = try? JSON.read(JSON.self, from: bytes)
  }

  private static func check(_ error: JSON.ReadingError, _ bytes: [UInt8]) {
    // Texts in UTF-16 count the bytes that they have in UTF-8.
    require(error.offset >= 0 && error.offset <= bytes.count * 3 / 2, "offset \(error.offset) of \(bytes.count)")
    require(error.line >= 1 && error.column >= 1 && !error.description.isEmpty, "place \(error)")
  }
}

/// Any value, read member by member.
private struct Walk: JSONReadable {
  var value: JSON

  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Walk {
    let start = reader.offset
    // Each kind is tried without looking ahead; a failed try must not move the reader.
    if let array = try attempt(
      &reader, start,
      { (reader) throws(JSON.ReadingError) in
        var elements: [JSON] = []
        if try reader.beginArray() {
          repeat { elements.append(try Walk.read(from: &reader).value) } while try reader.nextElement()
        }
        return JSON(elements)
      })
    {
      return Walk(value: array)
    }
    if let object = try attempt(
      &reader, start,
      { (reader) throws(JSON.ReadingError) in
        var members: [(String, JSON)] = []
        try reader.beginObject()
        while let key = try reader.nextKey() {
          members.append((key, try Walk.read(from: &reader).value))
          try reader.nextMember()
        }
        return JSON(members)
      })
    {
      return Walk(value: object)
    }
    return Walk(value: try reader.read(JSON.self))
  }

  /// Returns the result of `body`; `nil` if it reports a value of another kind at the position where it started.
  private static func attempt(
    _ reader: inout JSON.Reader, _ start: Int,
    _ body: (inout JSON.Reader) throws(JSON.ReadingError) -> JSON
  ) throws(JSON.ReadingError) -> JSON? {
    do throws(JSON.ReadingError) {
      return try body(&reader)
    } catch {
      guard case .typeMismatch = error.code, error.offset == start, reader.offset == start else { throw error }
      return nil
    }
  }
}
