/// The parts of an HTTP Archive that are written, with the property names of the format. Times are in milliseconds, sizes in bytes; -1
/// means unknown.
///
/// Source: HTTP Archive 1.2 (Jan Odvarko), as browser developer tools read and write it.
struct HAR: Encodable {
  struct Log: Encodable {
    var version = "1.2"
    var creator: Creator
    var entries: [Entry]
  }

  struct Creator: Encodable {
    var name: String
    var version: String
  }

  struct Entry: Encodable {
    var startedDateTime: String
    var time: Double
    var request: Request
    var response: Response
    var cache = Empty()
    var timings: Timings
    var serverIPAddress: String?
    var comment: String?
    // The format leaves names that begin with an underscore to applications.
    var _anvil: Details?
  }

  struct Request: Encodable {
    var method: String
    var url: String
    var httpVersion: String
    var cookies: [Empty] = []
    var headers: [Field]
    var queryString: [Field]
    var postData: PostData?
    var headersSize = -1
    var bodySize: Int
  }

  struct Response: Encodable {
    var status: Int
    var statusText: String
    var httpVersion: String
    var cookies: [Empty] = []
    var headers: [Field]
    var content: Content
    var redirectURL: String
    var headersSize = -1
    var bodySize: Int
    // Browsers write this property for a request without a response.
    var _error: String?
  }

  struct Field: Encodable {
    var name: String
    var value: String
  }

  struct PostData: Encodable {
    var mimeType: String
    var text: String
    var comment: String?
  }

  struct Content: Encodable {
    var size: Int
    var mimeType: String
    var text: String?
    var encoding: String?
    var comment: String?
  }

  struct Timings: Encodable {
    var blocked = -1.0
    var dns = -1.0
    var connect = -1.0
    var ssl = -1.0
    var send = 0.0
    var wait = 0.0
    var receive = 0.0
  }

  struct Empty: Encodable {}

  var log: Log
}
