import Foundation

/// The way from a dictionary of Foundation's to a value inside it.
///
/// Only what the path leads to becomes JSON; the whole dictionary does when there is an error to show it in, with the types
/// that JSON has no form for named.
struct FoundationLookup {
  private enum Found {
    case object(Any)
    /// A step that may be missing is, or there is `null`.
    case nothing
    case failure
  }

  let root: Any

  /// What `decode` makes of the object at `path`.
  ///
  /// - Throws: ``JSONDecodingError``: what the same operator throws for the dictionary as JSON. An object that JSON has no
  ///   form for is a ``WrappedDecodingError`` with the ``JSONEncodingError`` in it.
  func value<Value>(at path: JSON.Path, with decode: (JSON) throws -> Value) throws -> Value {
    let steps = path.steps.map { (step: $0, isRequired: true) }
    guard case .object(let object) = find(steps) else { return try rootJSON.value(at: path, with: decode) }
    do {
      return try decode(JSON(foundationObject: object))
    } catch let error as JSONEncodingError {
      return try rootJSON.value(at: path) { _ in throw error }
    } catch {
      // Once more from the root, for the error to say the whole way.
      return try rootJSON.value(at: path, with: decode)
    }
  }

  /// What `decode` makes of the object at `path`; `nil` when a step that may be missing is, and for `null`.
  ///
  /// - Throws: as ``value(at:with:)``.
  func value<Value>(ifPresentAt path: JSON.OptionalPath, with decode: (JSON) throws -> Value) throws -> Value? {
    switch find(path.steps.map { ($0.step, $0.isRequired) }) {
    case .nothing: return nil
    case .failure: return try rootJSON.value(ifPresentAt: path, with: decode)
    case .object(let object):
      do {
        let json = try JSON(foundationObject: object)
        return json.isNull ? nil : try decode(json)
      } catch let error as JSONEncodingError {
        return try rootJSON.value(ifPresentAt: path) { _ in throw error }
      } catch {
        return try rootJSON.value(ifPresentAt: path, with: decode)
      }
    }
  }

  private func find(_ steps: [(step: JSON.Step, isRequired: Bool)]) -> Found {
    var object = root
    for (step, isRequired) in steps {
      let next: Any?
      switch step {
      case .key(let key):
        guard let member = member(key, of: object) else { return .failure }
        next = member
      case .index(let index):
        guard let element = element(index, of: object) else { return .failure }
        next = element
      }
      guard let next else { return isRequired ? .failure : .nothing }
      if !isRequired, next is NSNull { return .nothing }
      object = next
    }
    return .object(object)
  }

  /// The member of `object` that has `key`, if any; `nil` when it is no dictionary.
  private func member(_ key: String, of object: Any) -> Any?? {
    // A class is asked directly: to become a Swift dictionary it would be copied.
    if type(of: object) is AnyClass { return (object as? NSDictionary).map { $0.object(forKey: key as NSString) } }
    return (object as? [String: Any]).map { $0[key] }
  }

  /// The element of `object` that has `index`, if any; `nil` when it is no array.
  private func element(_ index: Int, of object: Any) -> Any?? {
    if type(of: object) is AnyClass {
      return (object as? NSArray).map { (0..<$0.count).contains(index) ? $0.object(at: index) : nil }
    }
    return (object as? [Any]).map { $0.indices.contains(index) ? $0[index] : nil }
  }

  /// The dictionary as JSON, to be shown.
  private var rootJSON: JSON {
    get throws {
      var writer = FoundationObjectWriter(.lenient)
      return try JSON(writer.write(root))
    }
  }
}
