/// A type that writes itself as JSON text in one pass, directly from its properties.
///
///     struct Owner: JSONWritable {
///       var login: String
///       var id: Int
///       var company: String?
///
///       func write(to writer: inout JSON.Writer) {
///         writer.object { members in
///           members.write("login", login)
///           members.write("id", id)
///           members.write("company", ifPresent: company)
///         }
///       }
///     }
///
///     let data = try JSON.write(owner)
///
/// Writing does not throw. Few values have no JSON form, and a check after each value would add code to every type for a rare
/// case. Instead, the first failure is recorded, containers that begin after it are left out, and
/// ``JSON/write(_:)`` throws it.
///
/// `RawRepresentable` types with a writable raw value only have to declare the conformance.
public protocol JSONWritable: ~Copyable {
  /// Writes the value to `writer`, as exactly one JSON value.
  ///
  /// Writing no value or a second one is a failure: ``JSON/WritingError/Code-swift.enum/noValue`` or
  /// ``JSON/WritingError/Code-swift.enum/severalValues``. Call ``JSON/Writer/fail(_:)`` if this value has no JSON form.
  func write(to writer: inout JSON.Writer)
}

extension JSONWritable where Self: RawRepresentable, RawValue: JSONWritable {
  /// Writes the raw value.
  @inlinable
  public func write(to writer: inout JSON.Writer) { rawValue.write(to: &writer) }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
  /// Writes the wrapped value, or `null` if this value is `nil`.
  @inlinable @inline(__always)
  public func write(to writer: inout JSON.Writer) {
    if let self { self.write(to: &writer) } else { writer.writeNull() }
  }
}

extension Array: JSONWritable where Element: JSONWritable {
  /// Writes the elements as an array.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if isEmpty { writer.writeEmptyArray() } else { writer.array { $0.write(contentsOf: ContiguousArray(self).span) } }
  }
}

extension Dictionary: JSONWritable where Key == String, Value: JSONWritable {
  /// Writes the members as an object, in the order of the dictionary, which differs from run to run.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    writer.object { members in
      for (key, value) in self { members.write(key, value) }
    }
  }
}
