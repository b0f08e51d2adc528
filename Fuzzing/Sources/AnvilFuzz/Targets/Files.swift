import AnvilJSON

@testable import AnvilClient
@testable import AnvilCommands
@testable import AnvilHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FuzzTarget {
  private static let planted = "Zplanted"
  private static let now = Date(timeIntervalSince1970: 1_700_000_000)

  /// Files with passwords: entries that are written again come back, and no error shows a password.
  static let netrcs = FuzzTarget(name: "netrcs") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    guard !text.contains(planted) else { return }
    for text in [text, "machine h login a password \(planted)\n\(text)", "\(text)\n\(planted)"] {
      do throws(Netrc.Malformed) {
        let entries = try Netrc(text).entries
        let lines = entries.map { entry in
          (entry.host.map { "machine \(quoted($0))" } ?? "default")
            + " login \(quoted(entry.login)) password \(quoted(entry.password))"
        }
        let again = requireSuccess("entries are rejected: \(lines)") { () throws(Netrc.Malformed) in
          try Netrc(lines.joined(separator: "\n"))
        }
        require(again.entries == entries, "\(entries) come back as \(again.entries)")
        for host in entries.compactMap(\.host) { _ = again.entry(for: host) }
      } catch {
        require(!error.description.contains(planted), "\(error)")
      }
    }
  } growth: { bytes in
    _ = try? Netrc(String(decoding: bytes, as: UTF8.self)).entry(for: "h")
  }

  /// `text` as a word in quotation marks.
  private static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = [0x22]
    for byte in text.utf8 {
      switch byte {
      case 0x22, 0x5C: bytes += [0x5C, byte]
      case 0x0A: bytes += Array(#"\n"#.utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes + [0x22], as: UTF8.self)
  }

  /// Cookies in Netscape's format: those that a jar keeps are written and come back.
  static let cookiefiles = FuzzTarget(name: "cookiefiles") { bytes in
    let contents = CookieFile.contents(of: String(decoding: bytes, as: UTF8.self))
    let jar = jar(of: contents)
    let again = CookieFile.contents(of: jar.cookies.map(CookieFile.line).joined())
    require(again.malformedLines.isEmpty, "written cookies are skipped: lines \(again.malformedLines)")
    let (before, after) = (kept(jar), kept(Self.jar(of: again)))
    require(before == after, "\(before) come back as \(after)")
    let count = bytes.count { $0 == 0x0A } + 1
    for line in contents.malformedLines { require(line > 0 && line <= count, "line \(line)") }
  } growth: { bytes in
    _ = CookieFile.contents(of: String(decoding: bytes, as: UTF8.self))
  }

  private static func jar(of contents: CookieFile.Contents) -> CookieJar {
    let jar = CookieJar(publicSuffixes: .singleLabels) { now }
    for cookie in contents.cookies { jar.set(cookie) }
    for cookie in jar.cookies { require(cookie.isWellFormed, "kept \(cookie), which cannot be sent") }
    return jar
  }

  /// The stored parts of all cookies, except for those whose domain begins with a number sign, because such a line may be a comment.
  private static func kept(_ jar: CookieJar) -> [[String]] {
    jar.cookies.filter { $0.domain.utf8.first != UInt8(ascii: "#") }.map(parts)
  }

  /// What the format stores. Expiries are whole seconds.
  private static func parts(_ cookie: HTTP.Cookie) -> [String] {
    [
      cookie.name, cookie.value, cookie.domain, cookie.path,
      "\(cookie.isHostOnly) \(cookie.isSecure) \(cookie.isHTTPOnly)",
      "\(cookie.expiry.map { $0.timeIntervalSince1970.rounded(.up) } ?? 0)",
    ]
  }

  /// HTTP archives: the page for one contains it as JSON without tags, and the exchanges can be served.
  static let archives = FuzzTarget(
    name: "archives",
    repeated: Repetition(
      opening: Array(#"{"log":{"entries":["#.utf8), separator: [UInt8(ascii: ",")], closing: Array("]}}".utf8))
  ) { bytes in
    do throws(ArchiveFile.Failure) {
      let archive = try ArchiveFile(bytes, from: .standardInput)
      let notes = ArchiveNotes(standard: nil, url: nil).notes(of: archive.document)
      let data = InspectorPage.data(file: "a.har", archive: archive.bytes, notes: notes, .none)
      let whole = requireSuccess("the data of the page is not JSON") { () throws(JSON.SyntaxError) in
        try JSON(parsing: data)
      }
      require(whole["archive"] == archive.document, "the page has another archive")
      let escaped = InspectorPage.escaped(data)
      require(!escaped.contains(UInt8(ascii: "<")), "the page contains a tag")
      require((try? JSON(parsing: escaped)) == whole, "the data of the page is not the same when it is escaped")
    } catch {
      require(!error.message("a.har").isEmpty, "no message")
    }
    guard let recording = try? Recording(bytes, from: .standardInput) else { return }
    for exchange in recording.exchanges {
      require(exchange.headers[.contentLength] == nil && exchange.headers[.transferEncoding] == nil, "framing is kept")
      require(exchange.time >= .zero && !exchange.description.isEmpty, "\(exchange)")
    }
  } growth: { bytes in
    guard let archive = try? ArchiveFile(bytes, from: .standardInput) else { return }
    let notes = ArchiveNotes(standard: nil, url: nil).notes(of: archive.document)
    _ = InspectorPage.escaped(InspectorPage.data(file: "a.har", archive: archive.bytes, notes: notes, .none))
    _ = try? Recording(bytes, from: .standardInput)
  }
}
