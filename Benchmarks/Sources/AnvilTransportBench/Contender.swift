import Foundation
import Rounds

/// A client that is measured.
enum Contender: String, CaseIterable {
  /// The loop in C on libcurl, to which the others are held.
  case loop = "c"
  /// `CurlSession`, its callers on Swift's own threads.
  case curl = "pool"
  /// `CurlSession`, its callers on its executor.
  case curlExecutor = "exec"
  case urlSession = "urlsession"
  /// A session that answers from memory: what is measured is the way to it and back.
  case memory = "memory"
  case netHTTP = "go"
  case httpx = "httpx"

  var name: String {
    switch self {
    case .loop: "C on libcurl"
    case .curl: "Anvil, pool"
    case .curlExecutor: "Anvil, exec"
    case .urlSession: "URLSession"
    case .memory: "from memory"
    case .netHTTP: "Go net/http"
    case .httpx: "Python httpx"
    }
  }

  /// True if the contender is part of this program.
  var isOurs: Bool { [.curl, .curlExecutor, .urlSession, .memory].contains(self) }

  /// The contenders of a run that names none.
  static var standard: [Contender] { allCases.filter { $0 != .memory } }

  /// The process that does rounds of `load`; `nil` when it is not there.
  func process(_ load: Load, road: Road = .transport) throws -> RoundProcess? {
    switch self {
    case .curl, .curlExecutor, .memory:
      try RoundProcess(Tool.ownPath, ["rounds", rawValue, road.rawValue] + load.arguments)
    case .urlSession: try Self.urlSessionProcess(load, road: road)
    case .loop: try Self.existing(Tool.folder.appending(path: "anvil-transport-loop"), load)
    case .netHTTP: try Self.existing(Tool.peers.appending(path: "net-http"), load)
    case .httpx: try Self.existing(Tool.peers.appending(path: "httpx"), load)
    }
  }

  private static func existing(_ program: URL, _ load: Load) throws -> RoundProcess? {
    guard FileManager.default.isExecutableFile(atPath: program.path()) else { return nil }
    return try RoundProcess(program.path(), load.arguments)
  }

  /// URLSession on Linux trusts the authorities of one file, whose place it does not let anyone choose. So over TLS its process
  /// sees another file there, in a mount namespace of its own, for which it takes root.
  private static func urlSessionProcess(_ load: Load, road: Road) throws -> RoundProcess? {
    let arguments = ["rounds", Contender.urlSession.rawValue, road.rawValue] + load.arguments
    guard load.version == .http2 else { return try RoundProcess(Tool.ownPath, arguments) }
    let bundle = "/etc/ssl/certs/ca-certificates.crt"
    guard getuid() == 0, let unshare = Tool.path(of: "unshare"), FileManager.default.fileExists(atPath: bundle) else {
      return nil
    }
    let script = "mount --bind \"$1\" \"$2\" && shift 2 && exec \"$@\""
    return try RoundProcess(
      unshare, ["--mount", "/bin/sh", "-c", script, "sh", load.authorities, bundle, Tool.ownPath] + arguments)
  }
}

extension Tool {
  /// The folder of this program and of those that are built with it.
  fileprivate static var folder: URL { URL(filePath: ownPath).deletingLastPathComponent() }

  /// The folder in which `setup-peers` installs other programs.
  fileprivate static var peers: URL {
    var folder = folder
    while folder.path() != "/", folder.lastPathComponent != ".build" { folder.deleteLastPathComponent() }
    return folder.appending(path: "peers/bin")
  }
}
