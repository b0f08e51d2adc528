/// A type that writes itself as JSON text, in one pass and without anything between its properties and the bytes.
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
/// Writing does not throw: few values have no form in JSON, and to ask after each one whether it had would cost every type
/// code for what hardly ever happens. The first failure is kept instead, containers begun after it are left out, and
/// ``JSON/write(_:)`` throws it.
///
/// `RawRepresentable` types with a writable raw value only have to name the protocol.
public protocol JSONWritable {
  /// Writes the value, just one, to `writer`.
  ///
  /// Nothing and a second value are failures: ``JSON/WritingError/Code-swift.enum/noValue`` and
  /// ``JSON/WritingError/Code-swift.enum/severalValues``. ``JSON/Writer/fail(_:)`` says that this value has no form.
  func write(to writer: inout JSON.Writer)
}

extension JSONWritable where Self: RawRepresentable, RawValue: JSONWritable {
  /// Writes the raw value.
  @inlinable
  public func write(to writer: inout JSON.Writer) { rawValue.write(to: &writer) }
}
