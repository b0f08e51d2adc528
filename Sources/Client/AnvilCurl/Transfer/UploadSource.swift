internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The source of a request's body.
enum UploadSource {
  case nothing
  case bytes(Data)
  /// A file, a form or a stream. The length is `nil` if it is unknown.
  case feed(UploadFeed, length: Int?)

  init(_ body: HTTP.Body) {
    if let data = body.data {
      self = data.isEmpty ? .nothing : .bytes(data)
    } else {
      self = .feed(UploadFeed(), length: body.length)
    }
  }

  /// The number of bytes; `nil` if it is unknown.
  var length: Int? {
    switch self {
    case .nothing: 0
    case .bytes(let data): data.count
    case .feed(_, let length): length
    }
  }
}
