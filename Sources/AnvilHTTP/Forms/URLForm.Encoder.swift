public import AnvilJSON
public import AnvilModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension URLForm {
  /// Encodes `Encodable` types as URL forms, in the convention that ``URLForm`` describes.
  ///
  ///     try body.encode(order, with: URLForm.Encoder(arrays: .indices, bools: .digits))
  ///
  /// Pairs come in the order in which values are encoded. The numbers are those of JSON.
  public struct Encoder: EncodingFormat {
    /// What the names of an array's elements are.
    ///
    /// An array in which an element is itself an array or a keyed value has indices in every style: without them nothing
    /// would say where an element ends.
    public enum ArrayStyle: Hashable, Sendable {
      /// `tags[]=a&tags[]=b`: what Rails, PHP and jQuery write.
      case brackets
      /// `tags[0]=a&tags[1]=b`: read by PHP and by most libraries for JavaScript.
      case indices
      /// `tags=a&tags=b`: what a form in HTML sends, read by Java, Go and Python.
      case repeated
    }

    /// How `Bool` is written.
    public enum BoolStyle: Hashable, Sendable {
      /// `true` and `false`.
      case words
      /// `1` and `0`: to PHP the word `false` is true.
      case digits
    }

    /// What the names of an array's elements are: `[]` unless set.
    public var arrays: ArrayStyle
    /// How `Bool` is written: as words unless set.
    public var bools: BoolStyle
    /// How `Date` is written: as RFC 3339 has it unless set, with a fraction of the second where there is one.
    public var dates: JSON.DateFormat
    /// What types find in their encoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// An encoder with the styles given.
    public init(arrays: ArrayStyle = .brackets, bools: BoolStyle = .words, dates: JSON.DateFormat = .iso8601) {
      self.arrays = arrays
      self.bools = bools
      self.dates = dates
    }

    /// `application/x-www-form-urlencoded`. Source: the URL standard.
    public var mediaType: String? { HTTP.HeaderValue.applicationFormURLEncoded.rawValue }

    /// The form of `value`, in ASCII; no bytes for a value without properties.
    ///
    /// - Throws: `EncodingError.invalidValue` for what no form can say: a value that is not keyed, a key that is empty or
    ///   has a bracket, an infinity or NaN, a date outside the years 0 to 9999, a value that nests deeper than 511
    ///   containers, and within an array `nil` or an empty value, the lack of which would move the elements behind it. And
    ///   whatever the value's own `encode(to:)` throws.
    public func encode<T: Encodable>(_ value: T) throws -> Data {
      let json = try JSON(parsing: jsonEncoder.encode(value))
      guard json.kind == .object else {
        throw EncodingError.invalidValue(
          value, .init(codingPath: [], debugDescription: "A form has names: its root has to be a keyed value."))
      }
      var writer = FormWriter(arrays: arrays, bools: bools)
      try writer.write(json)
      return Data(writer.text.utf8)
    }

    /// Writes the values of a form as JSON, from which they are taken: their order and every digit are kept.
    private var jsonEncoder: JSON.Encoder {
      let encoder = JSON.Encoder()
      encoder.userInfo = userInfo
      switch dates {
      case .secondsSince1970: encoder.dateEncodingStrategy = .secondsSince1970
      case .millisecondsSince1970: encoder.dateEncodingStrategy = .millisecondsSince1970
      case .iso8601:
        encoder.dateEncodingStrategy = .custom { date, encoder in
          guard let text = try? JSON(encoding: date).string else {
            throw EncodingError.invalidValue(
              date,
              .init(codingPath: encoder.codingPath, debugDescription: "The date is not in the years 0 to 9999."))
          }
          var container = encoder.singleValueContainer()
          try container.encode(text)
        }
      }
      return encoder
    }
  }
}
