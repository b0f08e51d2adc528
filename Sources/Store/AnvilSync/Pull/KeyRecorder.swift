internal import AnvilBase
internal import AnvilJSON

/// Finds the keys of received rows that the model does not read.
///
/// Rows with the same combination of keys are compared with the model only once. At most 2,000 combinations are kept. Rows with further
/// combinations are not compared.
struct DriftDetector {
  private let rows: any PullRows
  /// The paths that the pull itself reads. They are not deviations, even if the rows do not store them.
  private let knownPaths: Set<String>
  private var unknownKeys: [Int: [String]] = [:]
  private static let mostShapes = 2_000
  private static let mostLevels = 8

  init(_ plan: PullPlan) {
    rows = plan.rows
    knownPaths = plan.ownPaths
  }

  mutating func unknownKeys(in item: JSON, as format: any DecodingFormat) -> [String] {
    let shape = Self.shape(of: item)
    if let known = unknownKeys[shape] { return known }
    guard unknownKeys.count < Self.mostShapes, let found = rows.unknownKeys(in: item, as: format) else { return [] }
    let unknown = found.filter { !knownPaths.contains($0) }
    unknownKeys[shape] = unknown
    return unknown
  }

  /// Returns a hash of the keys of an object and of the objects in it, up to eight levels deep.
  private static func shape(of json: JSON, levels: Int = mostLevels) -> Int {
    var hasher = Hasher()
    guard levels > 0 else { return 0 }
    switch json.kind {
    case .object:
      for (key, value) in json.members {
        hasher.combine(key)
        // An optional object that is null is not decoded, so its keys would remain unknown to the comparison.
        hasher.combine(value.isNull)
        if isContainer(value) { hasher.combine(shape(of: value, levels: levels - 1)) }
      }
    case .array:
      hasher.combine(Set(json.elements.lazy.filter(isContainer).map { shape(of: $0, levels: levels - 1) }))
    case .null, .bool, .number, .string: break
    }
    return hasher.finalize()
  }

  private static func isContainer(_ json: JSON) -> Bool { json.kind == .object || json.kind == .array }
}

/// A recorder of the keys in a payload, and of the keys that a model reads while it is decoded.
final class KeyRecorder {
  private var present: [String: [String]] = [:]
  private var read: [String: Set<String>] = [:]

  /// Returns the paths of the keys in the payload that the model does not read. Returns `nil` if the payload cannot be decoded as the
  /// model.
  ///
  /// Keys are recorded after the format's key strategy has converted them.
  static func unknownKeys<Model: Decodable>(of type: Model.Type, in decoder: any Decoder) -> [String]? {
    let recorder = KeyRecorder()
    do {
      _ = try Model(from: RecordingDecoder(base: decoder, recorder: recorder, path: ""))
    } catch {
      return nil
    }
    return recorder.unknownKeys
  }

  private var unknownKeys: [String] {
    var paths: [String] = []
    for (path, keys) in present.sorted(by: { $0.key < $1.key }) {
      let known = read[path] ?? []
      paths += keys.filter { !known.contains($0) }.map { path.appending(key: $0) }
    }
    return paths
  }

  func noteObject(_ keys: [String], at path: String) {
    let known = present[path] ?? []
    present[path] = known + keys.filter { !known.contains($0) }
  }

  func noteReading(of key: String, at path: String) {
    read[path, default: []].insert(key)
  }

  func noteAll(at path: String) {
    read[path, default: []].formUnion(present[path] ?? [])
  }

  /// Returns `true` for types that decoders read without a call of `init(from:)`.
  fileprivate static func isScalar(_ type: any Any.Type) -> Bool {
    type == String.self || type == Bool.self || type == Double.self || type == Float.self
      || type is any FixedWidthInteger.Type
  }

  /// Returns `true` if formats decode the type without `init(from:)`, or if its keys are data. The keys of such a value are not recorded.
  fileprivate static func isOpaque(_ type: any Any.Type) -> Bool {
    type == JSON.self || type == Date.self || type == Data.self || type == URL.self || type == Decimal.self
      || type == UUID.self || type is any DictionaryType.Type
  }
}

private protocol DictionaryType {}
extension Dictionary: DictionaryType {}

private struct RecordingDecoder: DecodingNode {
  let base: any Decoder
  let recorder: KeyRecorder
  let path: String

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let container = try base.container(keyedBy: type)
    recorder.noteObject(try base.container(keyedBy: DecodingKey.self).allKeys.map(\.stringValue), at: path)
    return KeyedDecodingContainer(RecordingMembers(base: container, recorder: recorder, path: path))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    RecordingElements(base: try base.unkeyedContainer(), recorder: recorder, path: path + "[]")
  }

  func decodeNil() -> Bool { (try? base.singleValueContainer().decodeNil()) == true }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    KeyRecorder.isScalar(type) || KeyRecorder.isOpaque(type)
      ? try base.singleValueContainer().decode(type) : try type.init(from: self)
  }
}

private struct RecordingMembers<Key: CodingKey>: DecodingMembers {
  let base: KeyedDecodingContainer<Key>
  let recorder: KeyRecorder
  let path: String

  var codingPath: [any CodingKey] { base.codingPath }

  var allKeys: [Key] {
    // A model that enumerates the keys may read any of them.
    recorder.noteAll(at: path)
    return base.allKeys
  }

  func contains(_ key: Key) -> Bool {
    recorder.noteReading(of: key.stringValue, at: path)
    return base.contains(key)
  }

  func node(forKey key: Key) throws -> RecordingDecoder {
    // The decoder of a missing key would decode null, but the model has to receive an error.
    guard contains(key) else {
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "The key does not exist."))
    }
    return RecordingDecoder(
      base: try base.superDecoder(forKey: key), recorder: recorder, path: path.appending(key: key.stringValue))
  }

  func superDecoder() throws -> any Decoder { try base.superDecoder() }
}

private struct RecordingElements: DecodingElements {
  var base: any UnkeyedDecodingContainer
  let recorder: KeyRecorder
  let path: String

  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int? { base.count }
  var isAtEnd: Bool { base.isAtEnd }
  var currentIndex: Int { base.currentIndex }

  func next(for type: Any.Type) throws -> RecordingDecoder {
    var ahead = base
    return RecordingDecoder(base: try ahead.superDecoder(), recorder: recorder, path: path)
  }

  mutating func advance() { _ = try? base.superDecoder() }
}

extension String {
  /// Returns the path, in the form of a `JSON.Path`'s description, with another key.
  func appending(key: String) -> String {
    var path = self
    path.append(.key(key))
    return path
  }
}
