public import AnvilHTTP
public import AnvilJSON

/// The description of an error by an API: the members of `application/problem+json`.
///
/// A member of an unexpected type is ignored, as the format requires. Source: RFC 9457 §3.
public struct ProblemDetails: Sendable, Hashable {
  /// The type of the problem: a URI, or a reference relative to the response's URL. If the body states no type, it is `about:blank`, and
  /// the status is the only description of the problem.
  public var type = "about:blank"
  /// A short summary of the type, which is the same for all its occurrences.
  public var title: String?
  /// The status that the origin server generated.
  public var status: Int?
  /// An explanation of this occurrence.
  public var detail: String?
  /// The identifier of this occurrence: a URI, or a reference.
  public var instance: String?
  /// The members that the problem type adds, such as `errors` or `balance`.
  public var extensions: [String: JSON] = [:]

  /// Creates a problem without details.
  public init() {}
}

extension ProblemDetails: JSONDecodable {
  /// Returns the problem that a JSON object describes.
  ///
  /// - Throws: ``TypeMismatchError`` for anything but an object.
  public static func decode(_ json: JSON) throws -> ProblemDetails {
    var members = try [String: JSON].decode(json)
    let status = members.removeValue(forKey: "status").flatMap { try? Int.decode($0) }
    let texts = ["type", "title", "detail", "instance"].map { members.removeValue(forKey: $0)?.string }
    var problem = ProblemDetails()
    problem.type = texts[0] ?? problem.type
    (problem.title, problem.detail, problem.instance) = (texts[1], texts[2], texts[3])
    problem.status = status
    problem.extensions = members
    return problem
  }
}

extension ProblemDetails: Decodable {
  /// Creates the problem that an object describes, in any format that `JSON` can be decoded from.
  ///
  /// - Throws: `DecodingError.typeMismatch` for anything but an object, and the errors of the decoder.
  public init(from decoder: any Decoder) throws {
    let json = try JSON(from: decoder)
    guard json.kind == .object else {
      throw DecodingError.typeMismatch(
        ProblemDetails.self,
        .init(codingPath: decoder.codingPath, debugDescription: "Expected an object, found \(json.kind)."))
    }
    self = try .decode(json)
  }
}

extension ProblemDetails: CustomStringConvertible {
  /// The title and the status: `You do not have enough credit. (403)`. The detail is omitted, because it may contain a value of the
  /// request.
  public var description: String {
    (title?.loggable ?? type.loggable) + (status.map { " (\($0))" } ?? "")
  }
}

extension ProblemDetails: FailureBody {
  /// Returns whether the media type is `application/problem+json` or another JSON type. Many APIs send the same members with another JSON
  /// type.
  public static func isExpected(_ contentType: HTTP.HeaderValue) -> Bool { contentType.isJSON }

  /// Creates the problem that a JSON body describes, whatever the status. An object of another type than `application/problem+json` is a
  /// problem if it has a `type` or a `title`.
  ///
  /// - Throws: `JSON.SyntaxError`, ``TypeMismatchError``, ``MissingKeyError``, ``HTTP/BodyError/notCollected``.
  public init(failureBody body: HTTP.Body, status: HTTP.Status) throws {
    guard let data = body.data else { throw HTTP.BodyError.notCollected }
    let json = try JSON(parsing: data)
    self = try .decode(json)
    if body.contentType?.mediaType != "application/problem+json", json["type"]?.string == nil {
      let _: String = try json => "title"
    }
  }
}
