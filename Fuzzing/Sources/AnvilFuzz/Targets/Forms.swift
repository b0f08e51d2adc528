import AnvilBodies
import AnvilJSON

@testable import AnvilBase
@testable import AnvilHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FuzzTarget {
  private struct Form: Codable, Equatable {
    var a: String?
    var b: [String]?
    var c: [String: [Int]]?
    var d: Bool?
    var e: Double?
    var f: [Item]?

    struct Item: Codable, Equatable {
      var x: String?
      var y: Int?
    }
  }

  /// Forms of URLs: what was decoded is encoded in each style, and comes back.
  static let forms = FuzzTarget(name: "forms") { bytes in
    let data = Data(bytes)
    let decoder = URLForm.Decoder()
    switch bytes.count % 4 {
    case 0: check([String: String].self, in: data, decoder)
    case 1: check([String: [String]].self, in: data, decoder)
    case 2: check([String: [String: String]].self, in: data, decoder)
    default: check(Form.self, in: data, decoder)
    }
    if let text = FormEncoding.decode(data) {
      let written = FormEncoding.encode(text)
      require(FormEncoding.decode(Data(written.utf8)).map { hasScalars($0, of: text) } ?? false, "as \(written)")
      let query = HTTP.Query([.init(text, text)])
      let pair = query.percentEncoded.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      require(pair.count == 2 && pair[0] == pair[1], "\(text) in a query is \(query.percentEncoded)")
    }
  } growth: { bytes in
    let decoder = URLForm.Decoder(pairLimit: .max)
    _ = try? [String: [String]](from: decoder.decoder(for: Data(bytes)))
    _ = FormEncoding.decode(Data(bytes))
  }

  private static func check<Model: Codable & Equatable>(_ type: Model.Type, in data: Data, _ decoder: URLForm.Decoder) {
    guard let value = try? Model(from: decoder.decoder(for: data)) else { return }
    for arrays in [.brackets, .indices, .repeated] as [URLForm.Encoder.ArrayStyle] {
      guard let written = try? URLForm.Encoder(arrays: arrays).encode(value) else { continue }
      let again = requireSuccess("\(String(decoding: written, as: UTF8.self)) is refused") {
        try Model(from: decoder.decoder(for: written))
      }
      // Empty values are left out of a form.
      let written2 = try? URLForm.Encoder(arrays: arrays).encode(again)
      require(again == value || written2 == written, "\(value) comes back as \(again)")
    }
  }

  /// Multipart forms: a plain reader finds the parts that were written.
  static let multipart = FuzzTarget(name: "multipart") { bytes in
    let boundary = "fuzz-boundary"
    let pieces = bytes.split(separator: 0, omittingEmptySubsequences: false).prefix(12).map(Array.init)
    guard !bytes.contains(sequence: Array(boundary.utf8)) else { return }
    var parts: [HTTP.FormPart] = []
    for start in stride(from: 0, to: pieces.count, by: 3) {
      let name = String(decoding: pieces[start], as: UTF8.self)
      let filename = start + 1 < pieces.count ? String(decoding: pieces[start + 1], as: UTF8.self) : nil
      let content = start + 2 < pieces.count ? pieces[start + 2] : []
      parts.append(HTTP.FormPart(name: name, filename: filename, body: HTTP.Body(Data(content))))
    }
    let form = MultipartForm(parts, boundary: boundary)
    guard let data = form.data else { return require(form.error != nil, "no data and no error") }
    require(form.length == data.count, "\(data.count) bytes, not \(form.length ?? -1)")
    let found = requireParts(in: Array(data), boundary)
    require(found.count == parts.count, "\(found.count) parts of \(parts.count)")
    for (part, (head, content)) in zip(parts, found) {
      require(content == Array(part.body.data ?? Data()), "the content of \(part.name) is \(content)")
      require(head.allSatisfy { $0 != 0x0D && $0 != 0x0A }, "lines in the head of \(part.name)")
      require(
        head.count { $0 == 0x22 } == (part.filename == nil ? 2 : 4), "quotation marks in the head of \(part.name)")
    }
  } growth: { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    _ = MultipartForm([HTTP.FormPart(name: text, filename: text, body: HTTP.Body(Data(bytes)))], boundary: "b").data
    let parts = bytes.split(separator: bytes[0]).map { name in
      HTTP.FormPart(name: String(decoding: name, as: UTF8.self), filename: nil, body: HTTP.Body(Data(name)))
    }
    _ = MultipartForm(parts, boundary: "b").data
  }

  /// The parts between the delimiters, each as its one line and its content. Source: RFC 2046 §5.1.1.
  private static func requireParts(in bytes: [UInt8], _ boundary: String) -> [(head: [UInt8], content: [UInt8])] {
    guard !bytes.starts(with: "--\(boundary)--".utf8) else { return [] }
    var parts: [(head: [UInt8], content: [UInt8])] = []
    let first = Array("--\(boundary)\r\n".utf8)
    require(bytes.starts(with: first), "no delimiter at the beginning")
    var rest = bytes[first.count...]
    let delimiter = Array("\r\n--\(boundary)".utf8)
    while true {
      guard let head = rest.firstRange(of: Array("\r\n\r\n".utf8)),
        let end = rest[head.upperBound...].firstRange(of: delimiter)
      else {
        // A part without content ends where its head does.
        fatalError("FINDING: a part has no end")
      }
      parts.append((Array(rest[..<head.lowerBound]), Array(rest[head.upperBound..<end.lowerBound])))
      rest = rest[end.upperBound...]
      if rest.starts(with: "--".utf8) {
        require(rest.elementsEqual("--\r\n".utf8), "more behind the end")
        return parts
      }
      require(rest.starts(with: "\r\n".utf8), "a delimiter that does not end")
      rest = rest.dropFirst(2)
    }
  }
}

extension [UInt8] {
  fileprivate func contains(sequence: [UInt8]) -> Bool { firstRange(of: sequence) != nil }
}
