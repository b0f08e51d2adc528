extension JSON {
  /// A JSON patch: changes to a JSON value that are applied in order. Source: RFC 6902.
  ///
  ///     let patch = try JSON.Patch(JSON(parsing: data))
  ///     let patched = try json.applying(patch)
  public struct Patch: Hashable, Sendable {
    /// A single change.
    public enum Operation: Hashable, Sendable {
      /// Adds a value: before the element at an index, at the end of an array (`-`), as a member that replaces one with the same
      /// key, or as the whole value.
      case add(JSON, at: Pointer)
      /// Removes the value at the pointer. The root cannot be removed.
      case remove(at: Pointer)
      /// Replaces the value at the pointer.
      case replace(at: Pointer, with: JSON)
      /// Removes a value and adds it at another location, which must not be inside the value.
      case move(from: Pointer, to: Pointer)
      /// Adds a copy of a value at another location.
      case copy(from: Pointer, to: Pointer)
      /// Fails if the value at the pointer is not equal to the given value according to `==`.
      case test(JSON, at: Pointer)
    }

    /// The changes in order.
    public var operations: [Operation]

    /// Creates a patch from changes.
    public init(_ operations: [Operation]) {
      self.operations = operations
    }

    /// Creates a patch from its JSON form: an array of objects with `op`, `path` and the other members of each operation. Unknown members
    /// are ignored.
    ///
    /// - Throws: ``PatchError`` with the index of the first invalid operation, or without an index if `json` is not an array. An operation
    ///   is also invalid if one of its members occurs twice.
    public init(_ json: JSON) throws(PatchError) {
      guard json.kind == .array else {
        throw PatchError(code: .malformed("a patch must be an array"), operationIndex: nil)
      }
      operations = []
      for (index, element) in json.elements.enumerated() {
        do throws(PatchError.Code) {
          operations.append(try Operation(element))
        } catch {
          throw PatchError(code: error, operationIndex: index)
        }
      }
    }

    /// The patch as JSON.
    public var json: JSON { JSON(operations.map(\.json)) }
  }
}

extension JSON.Patch.Operation {
  fileprivate init(_ json: JSON) throws(JSON.PatchError.Code) {
    guard json.kind == .object else { throw .malformed("an operation must be an object") }
    for name in ["op", "path", "from", "value"] where json.keys.count(where: { $0 == name }) > 1 {
      throw .malformed("the operation contains \"\(name)\" more than once")
    }
    guard let name = json["op"]?.string else { throw .malformed("an operation must have a string \"op\"") }
    let path = try Self.pointer("path", of: json)
    switch name {
    case "add": self = .add(try Self.value(of: json), at: path)
    case "remove": self = .remove(at: path)
    case "replace": self = .replace(at: path, with: try Self.value(of: json))
    case "move": self = .move(from: try Self.pointer("from", of: json), to: path)
    case "copy": self = .copy(from: try Self.pointer("from", of: json), to: path)
    case "test": self = .test(try Self.value(of: json), at: path)
    default: throw .malformed("\"op\" is not the name of an operation")
    }
  }

  private static func value(of json: JSON) throws(JSON.PatchError.Code) -> JSON {
    guard let value = json["value"] else { throw .malformed("this operation must have a \"value\"") }
    return value
  }

  private static func pointer(_ name: String, of json: JSON) throws(JSON.PatchError.Code) -> JSON.Pointer {
    guard let text = json[name]?.string else { throw .malformed("this operation must have a string \"\(name)\"") }
    do throws(JSON.Pointer.SyntaxError) {
      return try JSON.Pointer(text)
    } catch {
      throw .malformed("\"\(name)\": \(error)")
    }
  }

  fileprivate var json: JSON {
    switch self {
    case .add(let value, let path): Self.json("add", path: path, value: value)
    case .remove(let path): Self.json("remove", path: path)
    case .replace(let path, let value): Self.json("replace", path: path, value: value)
    case .move(let from, let path): Self.json("move", from: from, path: path)
    case .copy(let from, let path): Self.json("copy", from: from, path: path)
    case .test(let value, let path): Self.json("test", path: path, value: value)
    }
  }

  @inline(never)
  private static func json(
    _ name: String, from: JSON.Pointer? = nil, path: JSON.Pointer, value: JSON? = nil
  ) -> JSON {
    var members: [(key: String, value: JSON)] = [("op", JSON(name))]
    if let from { members.append(("from", JSON(from.description))) }
    members.append(("path", JSON(path.description)))
    if let value { members.append(("value", value)) }
    return JSON(members)
  }
}
