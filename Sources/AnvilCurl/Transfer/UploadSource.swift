internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Where a request's body comes from.
enum UploadSource {
  case nothing
  case bytes(Data)
  /// A file, a form or a stream, of so many bytes where that is known.
  case feed(UploadFeed, length: Int?)

  init(_ body: HTTP.Body) {
    if let data = body.data {
      self = data.isEmpty ? .nothing : .bytes(data)
    } else {
      self = .feed(UploadFeed(), length: body.length)
    }
  }

  /// How many bytes there are; `nil` where that is not known.
  var length: Int? {
    switch self {
    case .nothing: 0
    case .bytes(let data): data.count
    case .feed(_, let length): length
    }
  }
}
