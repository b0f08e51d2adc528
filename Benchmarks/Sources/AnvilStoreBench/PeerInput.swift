import AnvilJSON
import Foundation

/// The records in the format that other programs read.
enum PeerInput {
  /// Writes the records, and the records with a tenth of them changed; returns the files' paths.
  static func write<Record: BenchRecord>(_ type: Record.Type, _ count: Int, to folder: URL) throws -> [String] {
    let encoder = JSON.Encoder()
    encoder.dateEncodingStrategy = .iso8601
    return try [false, true].map { changes in
      let file = folder.appending(path: changes ? "changed.json" : "records.json")
      try encoder.encode(Record.records(count, changes: changes)).write(to: file)
      return file.path()
    }
  }
}
