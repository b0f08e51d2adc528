internal import AnvilHTTP
internal import Foundation

/// The media types of files by their names. Source: the media types registry of IANA.
enum MediaTypes {
  /// Returns the type of a file called `name`; `nil` if its extension is unknown.
  static func type(ofFile name: String) -> HTTP.HeaderValue? {
    types[URL(filePath: name).pathExtension.lowercased()].map { HTTP.HeaderValue(rawValue: $0) }
  }

  private static let types = [
    "json": "application/json", "ndjson": "application/x-ndjson", "jsonl": "application/x-ndjson",
    "txt": "text/plain", "csv": "text/csv", "html": "text/html", "xml": "application/xml", "md": "text/markdown",
    "yaml": "application/yaml", "yml": "application/yaml", "pdf": "application/pdf", "zip": "application/zip",
    "gz": "application/gzip", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
    "svg": "image/svg+xml", "webp": "image/webp", "mp3": "audio/mpeg", "mp4": "video/mp4",
  ]
}
