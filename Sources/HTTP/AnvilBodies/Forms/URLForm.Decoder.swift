public import AnvilBase
public import AnvilJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension URLForm {
  /// A decoder of URL forms, with the naming convention described in ``URLForm``.
  ///
  /// Names:
  /// - `a[]=x&a[]=y`, `a[0]=x&a[1]=y` and `a=x&a=y` are arrays. Indices only order the elements: `a[7]=x&a[900]=y` has two.
  /// - `a[][id]=1&a[][size]=l&a[][id]=2` has two elements: a name that the current element already has starts the next, as in Rails.
  /// - If a single value is decoded and its name occurs several times, the last value is used, as in PHP and Rails.
  /// - A name with unbalanced brackets, such as `a[b` or `[a]`, is a single key.
  /// - If a name is used in two ways, as in `a=1&a[b]=2`, decoding its value throws an error.
  ///
  /// Values:
  /// - A missing name is `nil` or, depending on the decoded type, an empty array or a keyed value without members, because those
  ///   are written without pairs. An empty value is an empty string, not `nil`.
  /// - Numbers are decimal, with a sign, fraction and exponent if the type has them. Infinity and NaN are not accepted.
  /// - `true`, `1` and `on` are true; `false`, `0` and `off` are false.
  ///
  /// A `%` that is not followed by two hexadecimal digits is kept, as specified by the URL standard. In contrast to the standard,
  /// bytes that are not UTF-8 are an error.
  public struct Decoder: DecodingFormat {
    /// The format of `Date` values: RFC 3339 by default.
    public var dates: JSON.DateFormat
    /// The maximum number of steps of a name; `a[b][c]` has three. 32 by default, at most 256.
    public var depthLimit: Int
    /// The maximum number of pairs of a form: 10 000 by default.
    public var pairLimit: Int
    /// The `userInfo` of the decoder.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates a decoder with the given date format and limits.
    public init(dates: JSON.DateFormat = .iso8601, depthLimit: Int = 32, pairLimit: Int = 10_000) {
      self.dates = dates
      self.depthLimit = depthLimit
      self.pairLimit = pairLimit
    }

    /// Returns a decoder for the root of the form `data`, which is keyed.
    ///
    /// If the form is not UTF-8 or exceeds a limit, the decoder throws `DecodingError.dataCorrupted`.
    public func decoder(for data: Data) -> any Swift.Decoder {
      do {
        return FormDecoder(node: try FormNode(parsing: data, for: self), codingPath: [], format: self)
      } catch {
        return FailingDecoder(error: error)
      }
    }

    /// The maximum number of steps of a name, limited so that recursion does not exhaust the stack of any thread.
    var effectiveDepthLimit: Int { min(depthLimit, 256) }
  }
}
