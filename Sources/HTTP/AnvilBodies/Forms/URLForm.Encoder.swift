public import AnvilBase
public import AnvilJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension URLForm {
  /// An encoder of URL forms, with the naming convention described in ``URLForm``.
  ///
  ///     try body.encode(order, with: URLForm.Encoder(arrays: .indices, bools: .digits))
  ///
  /// Pairs are written in the order in which values are encoded. Numbers are written as in JSON.
  public struct Encoder: EncodingFormat {
    /// The names of the elements of an array.
    ///
    /// An array with an element that is an array or a keyed value always has indices: without them the end of an element would be
    /// ambiguous.
    public enum ArrayStyle: Hashable, Sendable {
      /// `tags[]=a&tags[]=b`, as written by Rails, PHP and jQuery.
      case brackets
      /// `tags[0]=a&tags[1]=b`, as read by PHP and by most JavaScript libraries.
      case indices
      /// `tags=a&tags=b`, as sent by HTML forms and read by Java, Go and Python.
      case repeated
    }

    /// The representation of `Bool` values.
    public enum BoolStyle: Hashable, Sendable {
      /// `true` and `false`.
      case words
      /// `1` and `0`, for PHP, which reads the word `false` as true.
      case digits
    }

    /// The names of the elements of an array: `[]` by default.
    public var arrays: ArrayStyle
    /// The representation of `Bool` values: words by default.
    public var bools: BoolStyle
    /// The format of `Date` values: RFC 3339 by default, with a fraction of a second if there is one.
    public var dates: JSON.DateFormat
    /// The `userInfo` of the encoder.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates an encoder with the given styles.
    public init(arrays: ArrayStyle = .brackets, bools: BoolStyle = .words, dates: JSON.DateFormat = .iso8601) {
      self.arrays = arrays
      self.bools = bools
      self.dates = dates
    }

    /// `application/x-www-form-urlencoded`. Source: the URL standard.
    public var mediaType: String? { "application/x-www-form-urlencoded" }

    /// Returns the form of `value` in ASCII. A value without properties encodes to no bytes.
    ///
    /// - Throws: `EncodingError.invalidValue` for a value that a form cannot represent: a value that is not keyed, a key that is empty
    ///   or contains a bracket, infinity or NaN, a date outside the years 0 to 9999, more than 511 nested containers, and `nil` or an
    ///   empty value in an array (leaving it out would shift the following elements). Also errors of the value's `encode(to:)`.
    public func encode<T: Encodable>(_ value: T) throws -> Data {
      let pairs = try pairs(of: value).map { "\(FormEncoding.encode($0.name))=\(FormEncoding.encode($0.value))" }
      return Data(pairs.joined(separator: "&").utf8)
    }

    /// A name and a value of a form, not encoded.
    package typealias Pair = (name: String, value: String)

    /// Returns the pairs of the form of `value`.
    ///
    /// - Throws: the errors of ``encode(_:)``.
    package func pairs(of value: some Encodable) throws -> [Pair] {
      let json = try JSON(parsing: jsonEncoder.encode(value))
      guard json.kind == .object else {
        throw EncodingError.unencodable(value, at: [], "The root of a form must be encoded in a keyed container.")
      }
      var writer = FormWriter(arrays: arrays, bools: bools)
      try writer.write(json)
      return writer.pairs
    }

    /// An encoder for the intermediate JSON, which preserves the order of values and all digits.
    private var jsonEncoder: JSON.Encoder {
      let encoder = JSON.Encoder()
      encoder.userInfo = userInfo
      encoder.dateEncodingStrategy = dates.encodingStrategy
      return encoder
    }
  }
}
