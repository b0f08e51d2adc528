/// Reads the values of a document by their indices, as ``JSON/Decoder`` does, for decoders in other modules.
///
/// Sessions, frames and tapes stay internal so that they are optimised within this module; a reader is their entry point. It is not
/// shared between threads.
package final class ValueReader {
  /// The index of the value at which coding paths begin.
  package let root: Int
  private let session: DecodingSession
  /// The members by converted key of each object. They are cached because a strategy may be slow.
  private var convertedMembers: [Int: ConvertedMembers] = [:]

  /// Creates a reader of `json` with the current strategies of `decoder`.
  package init(_ json: JSON, for decoder: JSON.Decoder) {
    root = json.index
    session = DecodingSession(json.document, root: json.index, options: decoder.sharedOptions)
  }

  package var options: JSON.Decoder.Options { session.options }

  package func kind(at index: Int) -> JSON.Kind { JSON(session.document, at: index).kind }

  /// Returns the index of the key, which is that of the value for an element, and the index of the value for each member of a container.
  package func members(ofContainerAt index: Int) -> some Sequence<(key: Int, value: Int)> {
    session.document.members(ofContainerAt: index).lazy.map { ($0.key, $0.value) }
  }

  package func isNull(at index: Int) -> Bool { session.tape[index].is(.null) }

  /// Returns the number of elements or members of the value at `index`; 0 if it is not a container.
  package func count(at index: Int) -> Int { JSON(session.document, at: index).count }

  /// Returns the index after the value or key at `index`. The first member of a container follows the container's own index, and the
  /// value of a member follows its key.
  package func index(after index: Int) -> Int { session.document.index(after: index) }

  /// Returns the index of the element numbered `position` of the array at `index`; `nil` if the array has too few elements.
  package func element(_ position: Int, ofArrayAt index: Int) -> Int? {
    session.document.element(position, ofArrayAt: index)
  }

  /// Returns the index of the value at the end of `steps`, or of the last step that exists, from the value at `index`.
  package func index(of steps: [JSON.Step], from index: Int) -> Int {
    var index = index
    for step in steps {
      let next = session.document.value(at: step, from: index)
      guard next >= 0 else { break }
      index = next
    }
    return index
  }

  package func string(at index: Int) -> String { session.document.string(at: index) }

  /// The members of one object, which are looked up by the keys of a model. A strategy may have converted these keys.
  package struct Members {
    fileprivate let session: DecodingSession
    fileprivate let owner: OwnedFrame<MemberFrame.State>

    package func value(of key: some CodingKey) -> Int? {
      withExtendedLifetime(owner) { owner.frame.find(key, session) }
    }

    /// The distinct keys in the order of the text.
    package var keys: [String] { withExtendedLifetime(owner) { session.keys(of: owner.frame) } }
  }

  /// - Parameter keysAreData: True if the members are looked up by the keys of the text.
  package func members(ofObjectAt index: Int, keysAreData: Bool = false) -> Members {
    let converted = session.usesDefaultKeys || keysAreData ? nil : convertedMembers(of: index)
    let state = MemberFrame.State(session, object: index, converted: converted)
    return Members(session: session, owner: OwnedFrame(state, of: session, keeping: converted))
  }

  /// Returns the key of a model for the key `key` of the object at `index`.
  package func convertedKey(_ key: String, inObjectAt index: Int) -> String {
    NodeDecoder(session: session, index: index).convertedKey(key)
  }

  private func convertedMembers(of object: Int) -> ConvertedMembers {
    if let members = convertedMembers[object] { return members }
    let members = ConvertedMembers(of: object, in: session)
    convertedMembers[object] = members
    return members
  }

  package func decode<T: Decodable>(_ type: T.Type, at index: Int) throws -> T {
    try session.decode(type, at: index)
  }

  /// Returns a decoder for the member `key`, which is missing in the object at `index`. It decodes null.
  package func nullDecoder(forKey key: String, inObjectAt index: Int) -> any Swift.Decoder {
    NullDecoder(session: session, object: index, key: key)
  }

  package func codingPath(to index: Int) -> [any CodingKey] { session.codingPath(to: index) }

  /// Returns the steps from the root of the document to the value at `index`, with the keys of the text.
  package func steps(to index: Int) -> [JSON.Step] { session.pathCursor.steps(to: index, in: session.document) }

  package func mismatch(_ type: Any.Type, at index: Int) -> any Error { session.mismatch(type, at: index) }

  /// Returns the error for the value at `index`, which has the right kind but is not valid.
  package func corrupted(_ reason: String, at index: Int) -> any Error { session.corrupted(reason, at: index) }

  package func missing(_ key: any CodingKey, in index: Int) -> any Error { session.missing(key, in: index) }

  /// Returns the error for the array at `index`, which has no element at `position`.
  package func atEnd(_ type: Any.Type, of index: Int, _ position: Int) -> any Error {
    session.atEnd(type, of: index, position)
  }
}

/// A decoder in another module that decodes a value of a document. It decodes a ``JSON`` directly, instead of building it from the
/// containers and scalars in the value.
package protocol DocumentDecoder: Swift.Decoder, SingleValueDecodingContainer {}

/// A decoder that collects the errors of a model, and continues after each of them with a placeholder for the value.
package protocol CollectingValueDecoder: Swift.Decoder {
  /// Returns a placeholder for the result of `convert`, if its errors about the value of this decoder have been collected before.
  ///
  /// - Throws: The first of `refusals`, or another error with its description, which is collected with those that follow. Throws as well if
  ///   no placeholder can be made.
  func placeholder<Coded: Decodable, Value>(
    refusedWith refusals: [StrategyRefusal], _ convert: (Coded) throws -> Value
  ) throws -> Value
}

/// The error of a strategy about a value, or about an element of the value.
package struct StrategyRefusal: Sendable {
  /// The steps from the value to the element; empty for the value itself.
  package var steps: [JSON.Step]
  package var error: any Error

  package init(steps: [JSON.Step] = [], error: any Error) {
    self.steps = steps
    self.error = error
  }

  /// The keys from the value to the element.
  package var codingPath: [any CodingKey] {
    steps.map { step -> any CodingKey in
      switch step {
      case .key(let key): DecodingKey(stringValue: key)
      case .index(let index): DecodingKey(intValue: index)
      }
    }
  }
}

extension Swift.Decoder {
  /// The document and the index of the value that this decoder decodes, which identify its place while it is decoded; `nil` if the decoder
  /// was not created by ``JSON/Decoder``.
  package var documentPlace: (document: ObjectIdentifier, index: Int)? {
    (self as? NodeDecoder).map { (ObjectIdentifier($0.session), $0.index) }
  }

  /// True if more text may belong to the value that this decoder decodes, because it was taken from a ``JSON/PartialParser``.
  package var isAtOpenValue: Bool {
    (self as? NodeDecoder).map { $0.session.document.isOpen(at: $0.index) } ?? false
  }

  /// The kind of the value that this decoder decodes; `nil` if the decoder was not created by ``JSON/Decoder``.
  package var jsonKind: JSON.Kind? {
    (self as? NodeDecoder).map { JSON($0.session.document, at: $0.index).kind }
  }
}

/// The members of one object by their converted keys, if a strategy converts keys.
///
/// Each key is converted once. This index is kept by the container that reads the object, or by a ``ValueReader``.
final class ConvertedMembers {
  /// The members in the order of the text, including members that share a key.
  private let members: [(key: ScalarKey, value: Int)]
  /// The value of the first member with each key; empty if there are so few members that they are compared one by one.
  private let values: [ScalarKey: Int]

  /// The member count up to which comparing members one by one is faster than hashing their keys.
  private static var fewMembers: Int { 16 }

  /// Creates the index of the members of `object`.
  ///
  /// - Complexity: O(*n*) on average, where *n* is the number of members, and *n* conversions.
  init(of object: Int, in session: DecodingSession) {
    members = session.convertedMembers(of: object)
    values =
      members.count > Self.fewMembers
      ? Dictionary(members.lazy.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }) : [:]
  }

  /// Returns the index of the value of the first member with this key.
  func value(of key: String) -> Int? {
    let key = ScalarKey(key)
    return members.count > Self.fewMembers ? values[key] : members.first { $0.key == key }?.value
  }

  /// The distinct keys in the order of the text.
  var keys: [String] {
    members.lazy.filter { self.value(of: $0.key.string) == $0.value }.map(\.key.string)
  }
}
