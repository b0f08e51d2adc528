import Foundation
import Rounds

/// A client that is measured.
enum Contender: String, CaseIterable {
  /// The loop in C on libcurl, to which the others are compared.
  case loop = "c"
  /// `CurlSession` with its callers on Swift's threads.
  case curl = "pool"
  /// `CurlSession` with its callers on its executor.
  case curlExecutor = "exec"
  case urlSession = "urlsession"
  /// A session that responds from memory, to measure the code above the session.
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

  /// `true` if the contender is part of this program.
  var isOurs: Bool { [.curl, .curlExecutor, .urlSession, .memory].contains(self) }

  /// The default contenders.
  static var standard: [Contender] { allCases.filter { $0 != .memory } }

  /// The process that runs rounds of `load`; `nil` if its program is not installed.
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

  /// URLSession on Linux trusts the authorities in one file with a fixed path. Over TLS, its process therefore runs in
  /// a separate mount namespace with another file at that path, which requires root.
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
  /// The folder of this program and of the programs that are built with it.
  fileprivate static var folder: URL { URL(filePath: ownPath).deletingLastPathComponent() }

  /// The folder in which `setup-peers` installs other programs.
  fileprivate static var peers: URL {
    var folder = folder
    while folder.path() != "/", folder.lastPathComponent != ".build" { folder.deleteLastPathComponent() }
    return folder.appending(path: "peers/bin")
  }
}
