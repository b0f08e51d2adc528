internal import Foundation
internal import Synchronization

/// A file that no one else may read, written at its end, read from its beginning, and gone with its owner.
final class TemporaryFile: Sendable {
  struct Shortened: Error {}

  let url: URL
  private let writing: FileHandle
  private let reading: FileHandle
  private let written = Atomic(0)

  /// How many bytes have been appended since it was empty.
  var count: Int { written.load(ordering: .relaxed) }

  /// - Parameter name: what the file's name begins with.
  init(named name: String) throws {
    url = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)")
    guard FileManager.default.createFile(atPath: url.path(), contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown) }
    writing = try FileHandle(forWritingTo: url)
    reading = try FileHandle(forReadingFrom: url)
  }

  /// Takes the file's name away, so that it goes even if the process is killed. What has it open goes on.
  func hide() {
    try? FileManager.default.removeItem(at: url)
  }

  func append(_ chunk: Data) throws {
    try writing.write(contentsOf: chunk)
    written.add(chunk.count, ordering: .relaxed)
  }

  /// The next bytes, at least one and at most `count`, of which there have to be that many.
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
