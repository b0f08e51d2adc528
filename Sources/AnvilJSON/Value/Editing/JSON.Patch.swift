extension JSON {
  /// Changes to a JSON value, one after another. Source: RFC 6902.
  ///
  ///     let patch = try JSON.Patch(JSON(parsing: data))
  ///     let patched = try json.applying(patch)
  public struct Patch: Hashable, Sendable {
    /// One change.
    public enum Operation: Hashable, Sendable {
      /// Adds a value: before the element at that index, at an array's end (`-`), as a member, in place of one with that
      /// key, or in place of everything.
      case add(JSON, at: Pointer)
      /// Removes the value that is there. The root cannot be removed.
      case remove(at: Pointer)
      /// Puts a value in place of the one that is there.
      case replace(at: Pointer, with: JSON)
      /// Removes a value and adds it elsewhere, though not inside itself.
      case move(from: Pointer, to: Pointer)
      /// Adds a value that is there elsewhere, too.
      case copy(from: Pointer, to: Pointer)
      /// Fails when the value that is there is not equal to this one, as `==` has it.
      case test(JSON, at: Pointer)
    }

    /// The changes in their order.
    public var operations: [Operation]

    /// A patch of these changes.
    public init(_ operations: [Operation]) {
      self.operations = operations
    }

    /// The patch that `json` spells: an array of objects with `op`, `path` and what belongs to it. Other members are
    /// ignored.
    ///
    /// - Throws: ``PatchError`` with the index of the operation that is none; a member of an operation that stands there
    ///   twice makes it none.
    public init(_ json: JSON) throws(PatchError) {
      guard json.kind == .array else { throw PatchError(code: .malformed("a patch is an array"), operationIndex: nil) }
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
    guard json.kind == .object else { throw .malformed("an operation is an object") }
    for name in ["op", "path", "from", "value"] where json.keys.count(where: { $0 == name }) > 1 {
      throw .malformed("an operation has \"\(name)\" twice")
    }
    guard let name = json["op"]?.string else { throw .malformed("an operation has a string \"op\"") }
    let path = try Self.pointer("path", of: json)
    switch name {
    case "add": self = .add(try Self.value(of: json), at: path)
    case "remove": self = .remove(at: path)
    case "replace": self = .replace(at: path, with: try Self.value(of: json))
    case "move": self = .move(from: try Self.pointer("from", of: json), to: path)
    case "copy": self = .copy(from: try Self.pointer("from", of: json), to: path)
    case "test": self = .test(try Self.value(of: json), at: path)
    default: throw .malformed("there is no operation of this name")
    }
  }

  private static func value(of json: JSON) throws(JSON.PatchError.Code) -> JSON {
    guard let value = json["value"] else { throw .malformed("this operation has a \"value\"") }
    return value
  }

  private static func pointer(_ name: String, of json: JSON) throws(JSON.PatchError.Code) -> JSON.Pointer {
    guard let text = json[name]?.string else { throw .malformed("this operation has a string \"\(name)\"") }
    do throws(JSON.Pointer.SyntaxError) {
      return try JSON.Pointer(text)
    } catch {
      throw .malformed("\"\(name)\": \(error)")
    }
  }

  fileprivate var json: JSON {
    switch self {
    case .add(let value, let path): ["op": "add", "path": JSON(path.description), "value": value]
    case .remove(let path): ["op": "remove", "path": JSON(path.description)]
    case .replace(let path, let value): ["op": "replace", "path": JSON(path.description), "value": value]
    case .move(let from, let path): ["op": "move", "from": JSON(from.description), "path": JSON(path.description)]
    case .copy(let from, let path): ["op": "copy", "from": JSON(from.description), "path": JSON(path.description)]
    case .test(let value, let path): ["op": "test", "path": JSON(path.description), "value": value]
    }
  }
}
