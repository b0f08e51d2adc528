internal import AnvilBase
internal import AnvilJSON
internal import Foundation

/// The page that shows an archive: one file that contains everything.
///
/// Its parts are in the folder Inspector. A content security policy with their hashes blocks all other scripts. The
/// archive is a data block that contains no character that begins a tag, so that none of its text is interpreted as
/// markup or script.
enum InspectorPage {
  /// The source of later versions of the data.
  enum Updates {
    case none
    /// The page requests `archive`, relative to its URL.
    case polled
  }

  /// Returns the data of the page: the unchanged archive and its notes.
  ///
  /// - Parameters:
  ///   - file: The name of the archive.
  ///   - archive: The bytes of an archive, which are JSON.
  ///   - notes: The problems of its bodies.
  static func data(file: String, archive: [UInt8], notes: JSON, _ updates: Updates) -> [UInt8] {
    var data = Array(#"{"file":"#.utf8)
    data += JSON(file).serializedData(.compact)
    data += Array(#","follow":\#(updates == .polled),"notes":"#.utf8)
    data += notes.serializedData(.compact)
    data += Array(#","archive":"#.utf8)
    data += archive.starts(with: [0xEF, 0xBB, 0xBF]) ? archive.dropFirst(3) : archive[...]
    data.append(UInt8(ascii: "}"))
    return data
  }

  /// Returns the page with `data`.
  static func page(title: String, data: [UInt8], _ updates: Updates) -> Data {
    let style = PackageResources.page_css
    let script =
      Array("\"use strict\";\n".utf8) + PackageResources.archive_js + PackageResources.elements_js
      + PackageResources.tree_js + PackageResources.list_js + PackageResources.detail_js + PackageResources.main_js
    let policy = """
      default-src 'none'; img-src data:; style-src '\(hash(style))'; script-src '\(hash(script))'; \
      connect-src \(updates == .polled ? "'self'" : "'none'"); base-uri 'none'; form-action 'none'
      """
    let values: [Substring: [UInt8]] = [
      "POLICY": Array(policy.utf8), "TITLE": Array(title.escapedForHTML.utf8), "STYLE": style, "SCRIPT": script,
      "DATA": escaped(data),
    ]
    var page = Data()
    // The names are found before the values are inserted, so that similar text in an archive is not replaced.
    for (index, part) in String(decoding: PackageResources.page_html, as: UTF8.self).split(separator: "@").enumerated()
    {
      page.append(contentsOf: index.isMultiple(of: 2) ? Array(part.utf8) : values[part] ?? [])
    }
    return page
  }

  /// Returns a page that leads to `url` at once.
  static func redirect(to url: URL) -> String {
    let address = url.absoluteString.escapedForHTML
    return """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0; url=\(address)">
      <title>Anvil</title>
      <p><a href="\(address)">Open the archive</a></p>

      """
  }

  /// Returns JSON in which no tag or comment can begin. U+2028 and U+2029 are escaped, because older versions of
  /// JavaScript treat them as line ends.
  static func escaped(_ json: [UInt8]) -> [UInt8] {
    var escaped: [UInt8] = []
    escaped.reserveCapacity(json.count + json.count / 50)
    var start = 0
    for (index, byte) in json.enumerated() where byte == UInt8(ascii: "<") || byte == 0xE2 {
      let count: Int
      let replacement: String
      switch (byte, json.dropFirst(index + 1).prefix(2)) {
      case (0xE2, [0x80, 0xA8]): (replacement, count) = (#"\u2028"#, 3)
      case (0xE2, [0x80, 0xA9]): (replacement, count) = (#"\u2029"#, 3)
      case (0xE2, _): continue
      default: (replacement, count) = (#"\u003c"#, 1)
      }
      escaped += json[start..<index]
      escaped += Array(replacement.utf8)
      start = index + count
    }
    escaped += json[start...]
    return escaped
  }

  /// Returns the hash of `content` in the syntax of a policy. Source: Content Security Policy Level 3 §2.3.1, `hash-source`.
  private static func hash(_ content: [UInt8]) -> String {
    var hash = HashFunction.sha256.begin()
    hash.update(content)
    return "sha256-\(Data(hash.finish()).base64EncodedString())"
  }
}

extension String {
  fileprivate var escapedForHTML: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
      "\"", with: "&quot;")
  }
}
