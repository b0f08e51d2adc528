public import AnvilHTTP
public import AnvilJSON

/// What an API says of an error: the members of `application/problem+json`.
///
/// A member of another type than it should have is as good as absent, as the format asks of its readers. Source: RFC 9457 §3.
public struct ProblemDetails: Sendable, Hashable {
  /// What kind of problem: a URI, or a reference relative to the response's URL. `about:blank` where there is none: the status says it.
  public var type = "about:blank"
  /// The kind in a few words, the same each time.
  public var title: String?
  /// The status that the origin server gave.
  public var status: Int?
  /// What the matter was this time.
  public var detail: String?
  /// This occurrence: a URI, or a reference.
  public var instance: String?
  /// The members that the kind of problem adds, such as `errors` or `balance`.
  public var extensions: [String: JSON] = [:]

  /// A problem of which nothing is known.
  public init() {}
}

extension ProblemDetails: JSONDecodable {
  /// The problem that a JSON object describes.
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

extension ProblemDetails: CustomStringConvertible {
  /// Title and status, without the detail, which may have a value of the request's: `You do not have enough credit. (403)`.
  public var description: String {
    (title?.loggable ?? type.loggable) + (status.map { " (\($0))" } ?? "")
  }
}

extension ProblemDetails: FailureBody {
  /// Whether this is `application/problem+json` or other JSON, which many APIs send the same members as.
  public static func isExpected(_ contentType: HTTP.HeaderValue) -> Bool { contentType.isJSON }

  /// Creates the problem that a body of JSON describes, whatever the status is.
  ///
  /// - Throws: `JSON.SyntaxError`, ``TypeMismatchError``, ``HTTP/BodyError/notCollected``.
  public init(failureBody body: HTTP.Body, status: HTTP.Status) throws {
    guard let data = body.data else { throw HTTP.BodyError.notCollected }
    self = try .decode(JSON(parsing: data))
  }
}
