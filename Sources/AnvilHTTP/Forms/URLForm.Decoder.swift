public import AnvilJSON
public import AnvilModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension URLForm {
  /// Decodes `Decodable` types from URL forms, in the convention that ``URLForm`` describes.
  ///
  /// Names:
  /// - `a[]=x&a[]=y`, `a[0]=x&a[1]=y` and `a=x&a=y` are arrays. Indices only order the elements: `a[7]=x&a[900]=y` has two.
  /// - `a[][id]=1&a[][size]=l&a[][id]=2` has two elements: one that has the name already is followed by the next, as in Rails.
  /// - Where one value is asked for, the last of several for a name is taken, as in PHP and Rails.
  /// - A name whose brackets do not match, such as `a[b` or `[a]`, is one key as a whole.
  /// - A name that is used in two ways, `a=1&a[b]=2`, is an error when its value is decoded.
  ///
  /// Values:
  /// - What is missing is `nil` or, where asked for as such, an array or a keyed value without anything in it, since nothing
  ///   is how those are written. A value without characters is text, not `nil`.
  /// - Numbers are decimal, with sign, fraction and exponent where the type has them; infinity and NaN are none.
  /// - `true`, `1` and `on` are true; `false`, `0` and `off` are false.
  ///
  /// A `%` without two hexadecimal digits behind it stands for itself, as the URL standard says. Unlike there, bytes that
  /// are not UTF-8 are an error.
  public struct Decoder: DecodingFormat {
    /// How `Date` is read: as RFC 3339 has it unless set.
    public var dates: JSON.DateFormat
    /// How many steps a name may have, `a[b][c]` being three: 32 unless set, 256 at most.
    public var depthLimit: Int
    /// How many pairs a form may have: 10 000 unless set.
    public var pairLimit: Int
    /// What types find in their decoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// A decoder with the limits given.
    public init(dates: JSON.DateFormat = .iso8601, depthLimit: Int = 32, pairLimit: Int = 10_000) {
      self.dates = dates
      self.depthLimit = depthLimit
      self.pairLimit = pairLimit
    }

    /// A decoder that stands at the root of the form `data`, which is keyed.
    ///
    /// A form that is not UTF-8 or is beyond a limit gives a decoder that throws `DecodingError.dataCorrupted`.
    public func decoder(for data: Data) -> any Swift.Decoder {
      do {
        return FormDecoder(node: try FormNode(parsing: data, for: self), codingPath: [], format: self)
      } catch {
        return FailingDecoder(error: error)
      }
    }

    /// How many steps a name may have: what is set, as far as they can be walked on any thread's stack.
    var effectiveDepthLimit: Int { min(depthLimit, 256) }
  }
}
