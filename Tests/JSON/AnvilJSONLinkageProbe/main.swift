import AnvilJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Uses the API of a program that only reads JSON. LinkageTests checks which libraries it loads.

struct Owner: Codable, JSONDecodable, JSONReadable, JSONWritable {
  var login: String
  var since: Date?

  static func decode(_ json: JSON) throws -> Owner {
    try Owner(login: json => "login", since: json =>? "since")
  }

  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Owner {
    var login: String?
    try reader.beginObject()
    repeat { try reader.read("login", into: &login) } while try reader.hasMoreMembers()
    return try Owner(login: reader.require(login, "login"))
  }

  func write(to writer: inout JSON.Writer) {
    writer.object { $0.write("login", login) }
  }
}

// Local constants: the leak sanitizer does not recognise the bytes of `Data` in a global constant.
do {
  let text = #"{"login": "octocat", "since": "2026-11-21T08:00:00Z"}"#
  let json = try JSON(parsing: text)
  let mapped: Owner = try json => JSON.Path()
  let decoder = JSON.Decoder()
  decoder.dateDecodingStrategy = .iso8601
  let decoded = try decoder.decode(Owner.self, from: Data(text.utf8))
  let encoder = JSON.Encoder()
  encoder.dateEncodingStrategy = .iso8601
  let encoded = try JSON(parsing: encoder.encode(decoded))
  let read = try JSON.read(Owner.self, from: text)
  let written = try JSON.write(read)
  print(mapped.login, decoded.login, read.login, encoded == json, written.count)
}
