#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One call of a decoder: the document, the strategies, and what is worth remembering between values.
///
/// Decoders and containers hold a reference to it, so that any of them can be kept after decoding. They are not shared
/// between threads: the standard library's decoders never are.
final class DecodingSession {
  let document: Document
  let options: JSON.Decoder.Options
  /// Whether keys are compared as they are.
  let usesDefaultKeys: Bool
  private let cursors = CursorMemory()
  /// Converted keys by the key in the text.
  private var convertedKeys: [String: String] = [:]
  private let shortcuts = ShortcutMemory<any DirectlyDecodable.Type>()

  init(_ document: Document, options: JSON.Decoder.Options) {
    self.document = document
    self.options = options
    if case .useDefaultKeys = options.keys { usesDefaultKeys = true } else { usesDefaultKeys = false }
  }

  deinit {
    cursors.deallocate()
    shortcuts.deallocate()
  }

  /// How `type` is decoded without its own initialiser, if it can be.
  ///
  /// A conformance is looked up once a type: the cast costs more than most values.
  @inline(__always)
  func shortcut<T>(for type: T.Type) -> (any DirectlyDecodable.Type)? {
    let identifier = ObjectIdentifier(type)
    let entry = shortcuts[identifier]
    return entry.type == identifier ? entry.shortcut : findShortcut(for: type, identifier)
  }

  @inline(never)
  private func findShortcut<T>(for type: T.Type, _ identifier: ObjectIdentifier) -> (any DirectlyDecodable.Type)? {
    let shortcut = KnownShortcuts.shortcut(for: type)
    shortcuts[identifier] = .init(type: identifier, shortcut: shortcut)
    return shortcut
  }
}

// MARK: - Members of objects

extension DecodingSession {
  /// The index of the value of `key` in the object at `object`; `nil` when no member has it.
  ///
  /// - Complexity: O(1) where keys are asked for in the order of the text, else O(*n*), *n* the number of members.
  @inline(__always)
  func value(of key: String, in object: Int) -> Int? {
    guard usesDefaultKeys else { return valueOfConverted(key, in: object) }
    return key.withUTF8Span { key in
      var start = object + 1
      let cursor = cursors[object]
      if cursor.object == object {
        // The key that was read last is often asked for twice: contains, then decode.
        if document.key(at: cursor.latest, equals: key) { return cursor.latest + document.tape[cursor.latest].span }
        start = cursor.next
      }
      let end = object + document.tape[object].span
      if let found = search(key, in: object, from: start, to: end) { return found }
      return start == object + 1 ? nil : search(key, in: object, from: object + 1, to: start)
    }
  }

  @inline(__always)
  private func search(_ key: Span<UInt8>, in object: Int, from start: Int, to end: Int) -> Int? {
    var next = start
    while next < end {
      let value = next + document.tape[next].span
      if document.key(at: next, equals: key) {
        cursors[object] = .init(object: object, next: value + document.tape[value].span, latest: next)
        return value
      }
      next = value + document.tape[value].span
    }
    return nil
  }

  private func valueOfConverted(_ key: String, in object: Int) -> Int? {
    members(of: object).first { convertedKey(at: $0) == key }.map { $0 + document.tape[$0].span }
  }

  /// The indices of an object's keys.
  func members(of object: Int) -> some Sequence<Int> {
    let document = document
    let end = object + document.tape[object].span
    return sequence(state: object + 1) { (next: inout Int) -> Int? in
      guard next < end else { return nil }
      let key = next
      let value = key + document.tape[key].span
      next = value + document.tape[value].span
      return key
    }
  }

  /// The key at `index` as the type knows it.
  func convertedKey(at index: Int) -> String {
    let key = document.string(at: index)
    switch options.keys {
    case .useDefaultKeys: return key
    case .convertFromSnakeCase:
      if let converted = convertedKeys[key] { return converted }
      let converted = KeyConversion.fromSnakeCase(key)
      convertedKeys[key] = converted
      return converted
    case .custom(let convert):
      return convert(codingPath(ofContainerAround: index) + [DecodingKey(stringValue: key)]).stringValue
    }
  }
}
