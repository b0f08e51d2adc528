public import AnvilBase

/// Building values in code. Each built value is the root of a new document.
///
/// A document has at most 2³² − 1 bytes of text and 2³² − 1 words. Building a larger one is a programming error.
extension JSON {
  /// Creates `true` or `false`.
  public init(_ value: Bool) {
    self.init { $0.append(value) }
  }

  /// Creates a string.
  public init(_ value: String) {
    self.init { $0.append(value) }
  }

  /// Creates a number from an integer of any width.
  public init(_ value: some FixedWidthInteger) {
    self.init { $0.append(integer: value) }
  }

  /// Creates a number with the shortest text that reads back as `value`, such as `1`, `0.1` or `1e+21`. Whole numbers have no fraction.
  ///
  /// NaN and the infinities become `null`, because JSON has no number for them. ECMAScript does the same.
  public init(_ value: Double) {
    self.init { $0.append(value) }
  }

  /// Creates a number with all digits of `value`; `null` for NaN.
  public init(_ value: Decimal) {
    self.init { $0.appendNumber(value.description) }
  }

  /// Creates an array.
  ///
  /// - Complexity: O(*n*), where *n* is the size of all elements, which are copied.
  public init(_ elements: some Sequence<JSON>) {
    self.init { builder in
      builder.beginArray()
      for element in elements { builder.append(element) }
      builder.endContainer()
    }
  }

  /// Creates an object with its members in the order of `members`. Members that share a key are all kept.
  ///
  /// - Complexity: O(*n*), where *n* is the size of all members, which are copied.
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

  /// Creates a value from the output of `builder`.
  ///
  /// - Throws: ``WritingError`` if the output is too large.
  package init(_ builder: consuming DocumentBuilder) throws(WritingError) {
    do throws(DocumentBuilder.TooLarge) {
      self.init(try builder.finish())
    } catch {
      throw WritingError(.tooLarge, at: Path())
    }
  }

  /// Creates the one value that `build` writes.
  ///
  /// - Parameter open: The indices of the values that are marked as open.
  init(open: [Int] = [], building build: (inout DocumentBuilder) -> Void) {
    var builder = DocumentBuilder()
    build(&builder)
    do throws(DocumentBuilder.TooLarge) {
      self.init(try builder.finish(open: open))
    } catch {
      preconditionFailure("the JSON document would have more than 4 GiB")
    }
  }

  /// Returns the same value as the root of a new document that contains nothing else.
  ///
  /// A view keeps the whole of its document alive. Keep a compact copy if you retain a small part of a large document.
  /// The ``root`` of the copy is the copy itself.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the value.
  public func compactCopy() -> JSON {
    // The words of a copy have the same distances.
    let open = document.open.isEmpty ? [] : document.open.filter { $0 >= index && $0 < index + word.span }
    return JSON(open: open.map { $0 - index }) { $0.append(self) }
  }
}
