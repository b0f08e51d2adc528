#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Values that are built, each the root of a document of its own.
///
/// Documents have at most 2³² − 1 bytes of text and as many words: building a larger one is a programming error.
extension JSON {
  /// `true` or `false`.
  public init(_ value: Bool) {
    self.init { $0.append(value) }
  }

  /// A string.
  public init(_ value: String) {
    self.init { $0.append(value) }
  }

  /// An integer of any width.
  public init(_ value: some FixedWidthInteger) {
    self.init { $0.append(integer: value) }
  }

  /// A number: the shortest text that comes back as `value`, without a fraction where it is whole (`1`, `0.1`, `1e+21`).
  ///
  /// `null` for NaN and the infinities, for which JSON has no number; ECMAScript does the same.
  public init(_ value: Double) {
    self.init { $0.append(value) }
  }

  /// A number with all of its digits; `null` for NaN.
  public init(_ value: Decimal) {
    self.init { $0.appendNumber(value.description) }
  }

  /// An array.
  ///
  /// - Complexity: O(*n*), *n* the size of all elements, which are copied.
  public init(_ elements: some Sequence<JSON>) {
    self.init { builder in
      builder.beginArray()
      for element in elements { builder.append(element) }
      builder.endContainer()
    }
  }

  /// An object with its members in the order of `members`; those that share a key all become part of it.
  ///
  /// - Complexity: O(*n*), *n* the size of all members, which are copied.
  public init(_ members: some Sequence<(key: String, value: JSON)>) {
    self.init { builder in
      builder.beginObject()
      for (key, value) in members {
        builder.appendKey(key)
        builder.append(value)
      }
      builder.endContainer()
    }
  }

  /// What `build` writes: one value.
  init(building build: (inout DocumentBuilder) -> Void) {
    var builder = DocumentBuilder()
    build(&builder)
    do throws(DocumentBuilder.TooLarge) {
      self.init(try builder.finish())
    } catch {
      preconditionFailure("a JSON document of more than 4 GiB")
    }
  }

  /// The same value as the root of a document of its own, which has just its size.
  ///
  /// A view keeps the whole of its document alive; keep a compact copy where a small part of a large document lives on.
  /// The copy's ``root`` is the copy.
  ///
  /// - Complexity: O(*n*), *n* the value's size.
  public func compactCopy() -> JSON {
    JSON { $0.append(self) }
  }
}
