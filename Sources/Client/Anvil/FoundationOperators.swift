public import Foundation

// `=>` on the objects of `JSONSerialization`: the object at the path is converted to ``JSON``, and that is mapped. For other ways to map,
// such as strategies, ask for the object as JSON: `let repository: JSON = try dictionary => "repository"`.

/// Returns the value at `path` in `object` as a `T`. The result and the errors are those of `=>` for the same object as ``JSON``.
///
/// - Throws: ``JSONDecodingError``. For an object without a JSON form at the path, such as a date, a ``WrappedDecodingError`` that contains
///   the ``JSON/WritingError``.
/// - Complexity: O(*n*), where *n* is the size of the object at `path`. Only that object is converted to JSON, unless an error is thrown.
public func => <T: JSONDecodable>(object: [String: Any], path: JSON.Path) throws -> T {
  try FoundationLookup(root: object).value(at: path)
}

/// Returns the value at `path` in `object`, like `=>` for a Swift dictionary.
public func => <T: JSONDecodable>(object: NSDictionary, path: JSON.Path) throws -> T {
  try FoundationLookup(root: object).value(at: path)
}

/// Returns the value at `path` in `object` as a `T`; `nil` for `NSNull` and if an optional step of the path is missing.
///
/// - Throws: ``JSONDecodingError``, like `=>`.
public func =>? <T: JSONDecodable>(object: [String: Any], path: JSON.OptionalPath) throws -> T? {
  try FoundationLookup(root: object).value(ifPresentAt: path)
}

/// Returns the value at `path` in `object`, like `=>?` for a Swift dictionary.
public func =>? <T: JSONDecodable>(object: NSDictionary, path: JSON.OptionalPath) throws -> T? {
  try FoundationLookup(root: object).value(ifPresentAt: path)
}

/// Returns the value at `path` in `object`. The first step of the path, which directly follows the operator, must be present. The result is
/// `nil` for `NSNull` and if an optional step is missing.
///
/// - Throws: ``JSONDecodingError``, like `=>`.
@_disfavoredOverload
public func => <T: JSONDecodable>(object: [String: Any], path: JSON.OptionalPath) throws -> T? {
  try FoundationLookup(root: object).value(ifPresentAt: path.requiringFirst)
}

/// Returns the value at `path` in `object`, like `=>` for a Swift dictionary.
@_disfavoredOverload
public func => <T: JSONDecodable>(object: NSDictionary, path: JSON.OptionalPath) throws -> T? {
  try FoundationLookup(root: object).value(ifPresentAt: path.requiringFirst)
}

/// Only the object that the path leads to is converted to JSON. The whole dictionary is converted when an error has to show it; objects
/// of types without a JSON form are then replaced by the names of their types.
private struct FoundationLookup {
  private enum Found {
    case object(Any)
    /// An optional step of the path is missing, or the value is `null`.
    case nothing
    case failure
  }

  let root: Any

  func value<T: JSONDecodable>(at path: JSON.Path) throws -> T {
    let steps = path.steps.map { (step: $0, isRequired: true) }
    guard case .object(let object) = find(steps) else { return try rootJSON.value(at: path) }
    do {
      return try T.decode(JSON(foundationObject: object))
    } catch let error as JSON.WritingError {
      return try rootJSON.value(at: path) { _ in throw error }
    } catch {
      // The lookup is repeated from the root, so that the error contains the complete path.
      return try rootJSON.value(at: path)
    }
  }

  func value<T: JSONDecodable>(ifPresentAt path: JSON.OptionalPath) throws -> T? {
    switch find(path.steps.map { ($0.step, $0.isRequired) }) {
    case .nothing: return nil
    case .failure: return try rootJSON.value(ifPresentAt: path)
    case .object(let object):
      do {
        let json = try JSON(foundationObject: object)
        return json.isNull ? nil : try T.decode(json)
      } catch let error as JSON.WritingError {
        return try rootJSON.value(ifPresentAt: path) { _ in throw error }
      } catch {
        return try rootJSON.value(ifPresentAt: path)
      }
    }
  }

  private func find(_ steps: [(step: JSON.Step, isRequired: Bool)]) -> Found {
    var object = root
    for (step, isRequired) in steps {
      let found =
        switch step {
        case .key(let key): member(key, of: object)
        case .index(let index): element(index, of: object)
        }
      guard let found else { return .failure }
      guard let next = found else { return isRequired ? .failure : .nothing }
      if !isRequired, next is NSNull { return .nothing }
      object = next
    }
    return .object(object)
  }

  /// Returns the member of `object` for `key`, or `.some(nil)` if the member does not exist. Returns `nil` if `object` is not a dictionary.
  private func member(_ key: String, of object: Any) -> Any?? {
    // A Foundation dictionary is queried directly, because converting it to a Swift dictionary would copy it.
    if type(of: object) is AnyClass { return (object as? NSDictionary).map { $0.object(forKey: key as NSString) } }
    return (object as? [String: Any]).map { $0[key] }
  }

  /// Returns the element of `object` at `index`, or `.some(nil)` if the element does not exist. Returns `nil` if `object` is not an array.
  private func element(_ index: Int, of object: Any) -> Any?? {
    if type(of: object) is AnyClass {
      return (object as? NSArray).map { (0..<$0.count).contains(index) ? $0.object(at: index) : nil }
    }
    return (object as? [Any]).map { $0.indices.contains(index) ? $0[index] : nil }
  }

  private var rootJSON: JSON {
    get throws {
      var writer = FoundationObjectWriter(.lenient)
      return try JSON(writer.write(root))
    }
  }
}
