internal import AnvilJSON
internal import Foundation
internal import Synchronization

/// An archive that is read again after its file has changed.
final class FollowedArchive: Sendable {
  /// A version of the archive.
  struct Version: Sendable {
    /// The entity tag, which is made from the modification time and the size of the file.
    var tag: String
    /// The data of the page, or the reason why the file cannot be shown.
    var data: Result<[UInt8], ArchiveFile.Failure>
  }

  let title: String
  private let file: URL
  private let source: DocumentSource
  private let notes: ArchiveNotes
  private let latest = Mutex<Version?>(nil)

  init(file: URL, source: DocumentSource, title: String, notes: ArchiveNotes) {
    self.file = file
    self.source = source
    self.title = title
    self.notes = notes
  }

  /// The current archive in the file. A missing file is an archive without entries.
  var current: Version {
    latest.withLock { latest in
      let tag = self.tag
      if let latest, latest.tag == tag { return latest }
      let version = Version(tag: tag, data: read())
      latest = version
      return version
    }
  }

  /// The reason why the file is not an archive, or `nil` if it is one or does not exist yet.
  var failure: ArchiveFile.Failure? {
    if case .failure(let failure) = current.data { failure } else { nil }
  }

  private var tag: String {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path(percentEncoded: false)) else {
      return #""none""#
    }
    let time = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    // A recorder replaces the file. Its number distinguishes two versions of the same size.
    let number = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
    return "\"\(time)-\(attributes[.size] ?? 0)-\(number)\""
  }

  private func read() -> Result<[UInt8], ArchiveFile.Failure> {
    guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
      let empty = Array(#"{"log":{"entries":[]}}"#.utf8)
      return .success(InspectorPage.data(file: title, archive: empty, notes: [], .polled))
    }
    do throws(ArchiveFile.Failure) {
      let data = try Data(contentsOf: file, or: { .unreadable(DocumentReader.words(for: $0, of: source)) })
      let archive = try ArchiveFile(Array(data), from: source)
      return .success(
        InspectorPage.data(
          file: title, archive: archive.bytes, notes: notes.notes(of: archive.document), .polled))
    } catch {
      return .failure(error)
    }
  }
}

extension Data {
  fileprivate init(contentsOf file: URL, or failure: (any Error) -> ArchiveFile.Failure) throws(ArchiveFile.Failure) {
    do {
      try self.init(contentsOf: file)
    } catch {
      throw failure(error)
    }
  }
}
