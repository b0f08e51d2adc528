internal import Foundation
internal import Synchronization

/// A file that is only readable by its owner. It is appended to, read sequentially, and deleted with this object.
final class TemporaryFile: Sendable {
  struct Shortened: Error {}

  let url: URL
  private let writing: FileHandle
  private let reading: FileHandle
  private let written = Atomic(0)

  /// The number of bytes that were appended since the file was last empty.
  var count: Int { written.load(ordering: .relaxed) }

  /// - Parameter name: The prefix of the file's name.
  init(named name: String) throws {
    url = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)")
    guard FileManager.default.createFile(atPath: url.path(), contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown) }
    writing = try FileHandle(forWritingTo: url)
    reading = try FileHandle(forReadingFrom: url)
  }

  /// Unlinks the file, so that it is deleted even if the process is killed. Open file handles remain valid.
  func hide() {
    try? FileManager.default.removeItem(at: url)
  }

  func append(_ chunk: Data) throws {
    try writing.write(contentsOf: chunk)
    written.add(chunk.count, ordering: .relaxed)
  }

  /// Returns the next bytes, at least one and at most `count`. The file must contain `count` more bytes.
  func read(upTo count: Int) throws -> Data {
    guard let chunk = try reading.read(upToCount: count), !chunk.isEmpty else { throw Shortened() }
    return chunk
  }

  /// Makes the file empty again.
  func clear() throws {
    try writing.truncate(atOffset: 0)
    try reading.seek(toOffset: 0)
    written.store(0, ordering: .relaxed)
  }

  deinit {
    try? writing.close()
    try? reading.close()
    hide()
  }
}
