public import AnvilBase
public import AnvilJSON

/// The URL form format, `application/x-www-form-urlencoded`, for encoding and decoding models.
///
///     try body.encode(user, with: URLForm.Encoder())
///     let user = try body.decode(as: User.self, with: URLForm.Decoder())
///
/// A form is a list of names and values, both text. The name of a nested value contains its path, in brackets:
///
/// | value | pairs |
/// | --- | --- |
/// | a property | `name=ada` |
/// | a property of a nested value | `user[name]=ada` |
/// | an array of scalars | `user[tags][]=a&user[tags][]=b` |
/// | an array of anything else | `items[0][id]=1&items[0][size]=xl&items[1][id]=2` |
/// | `true`, a number, text | `on=true`, `ratio=0.5`, `title=` (empty text) |
/// | a date, data, a URL, a UUID | `2026-11-21T08:00:00Z`, Base64, its text, its text |
/// | `nil`, an empty array or dictionary, a value without properties | no pairs |
///
/// Servers agree on these names except for arrays. The encoder therefore supports three styles (``Encoder/ArrayStyle``), and
/// ``Decoder`` reads all of them. All bytes except letters, digits and `*-._` are percent-encoded, including the brackets
/// (`user%5Bname%5D=ada`). A space is sent as `+`.
///
/// Source: the URL standard, "application/x-www-form-urlencoded"; the names in brackets are a convention of PHP, Rails and jQuery and
/// are not standardized.
public enum URLForm {}

/// Writes the members of a JSON object as the pairs of a form.
struct FormWriter {
  let arrays: URLForm.Encoder.ArrayStyle
  let bools: URLForm.Encoder.BoolStyle
  private(set) var pairs: [URLForm.Encoder.Pair] = []
  fileprivate var path: [any CodingKey] = []

  /// - Parameter name: The path to the object; `nil` for the root.
  /// - Throws: `EncodingError.invalidValue` for keys that a form cannot represent and for array elements that write no pairs.
  mutating func write(_ object: JSON, name: String? = nil) throws {
    for (key, value) in object.members {
      path.append(DataKey(stringValue: key))
      guard !key.isEmpty, !key.utf8.contains(where: { $0 == .openBracket || $0 == .closeBracket }) else {
        throw EncodingError.unencodable(
          key, at: path,
          "A form cannot represent a key that is empty or contains a bracket. Pass pairs to write names unchanged.")
      }
      try write(value: value, name: name.map { "\($0)[\(key)]" } ?? key)
      path.removeLast()
    }
  }

  private mutating func write(value: JSON, name: String) throws {
    switch value.kind {
    case .null: break
    case .bool:
      let (no, yes) = bools == .words ? ("false", "true") : ("0", "1")
      pairs.append((name, value.bool == true ? yes : no))
    case .number: pairs.append((name, value.numberText ?? ""))
    case .string: pairs.append((name, value.string ?? ""))
    case .array: try write(elements: value.elements, name: name)
    case .object: try write(value, name: name)
    }
  }

  private mutating func write(elements: JSON.Elements, name: String) throws {
    let isFlat = elements.allSatisfy { $0.kind != .array && $0.kind != .object }
    for (index, element) in elements.enumerated() {
      path.append(IndexKey(index))
      let count = pairs.count
      switch isFlat ? arrays : .indices {
      case .brackets: try write(value: element, name: name + "[]")
      case .indices: try write(value: element, name: "\(name)[\(index)]")
      case .repeated: try write(value: element, name: name)
      }
      guard pairs.count > count else {
        throw EncodingError.unencodable(
          element, at: path, "A form omits null and empty values, which would shift the elements after this one.")
      }
      path.removeLast()
    }
  }
}

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
    package var dates: JSON.DateFormat
    /// The maximum number of steps of a name; `a[b][c]` has three. 32 by default, at most 256.
    package var depthLimit: Int
    /// The maximum number of pairs of a form: 10 000 by default.
    package var pairLimit: Int
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
    package var arrays: ArrayStyle
    /// The representation of `Bool` values: words by default.
    package var bools: BoolStyle
    /// The format of `Date` values: RFC 3339 by default, with a fraction of a second if there is one.
    package var dates: JSON.DateFormat
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
