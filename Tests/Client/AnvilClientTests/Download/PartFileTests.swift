import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

@testable import AnvilClient

@Suite struct PartFileTests {
  /// The lowest free descriptor.
  private var nextDescriptor: Int32 {
    get throws {
      let file = try FileHandle(forReadingFrom: URL(filePath: "/dev/null"))
      defer { try? file.close() }
      return file.fileDescriptor
    }
  }

  /// A file that stays open keeps its descriptor. Other tests also open files, but fewer.
  @Test func releasedPartsAreClosed() throws {
    let folder = try TemporaryFolder()
    let before = try nextDescriptor
    for _ in 0..<2_000 { _ = try PartFile(for: folder.target) }
    #expect(try nextDescriptor < before + 1_000)
  }
}
