import Foundation
@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

// Not compiled if swift-syntax is a package dependency, whose module of this name has the same protocol: see Package.swift.

/// A program that the compiler runs to expand macros. It has the interface of `CompilerPlugin` of swift-syntax, whose module
/// `SwiftCompilerPlugin` toolchains for Linux do not have, and finds macros in the same way.
public protocol CompilerPlugin {
  /// Creates the plugin.
  init()

  /// The macros, each of which is found by its qualified name.
  var providingMacros: [any Macro.Type] { get }
}

extension CompilerPlugin {
  /// Answers the compiler's messages until it closes the stream.
  public static func main() throws {
    try CompilerPluginMessageListener(connection: StandardStreams(), provider: Provider(plugin: Self())).main()
  }
}

private struct Provider<Plugin: CompilerPlugin>: PluginProvider {
  struct UnknownMacro: Error {
    let name: String
  }

  let plugin: Plugin

  func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
    let name = "\(moduleName).\(typeName)"
    guard let macro = plugin.providingMacros.first(where: { String(reflecting: $0) == name }) else {
      throw UnknownMacro(name: name)
    }
    return macro
  }
}

/// The compiler's messages, which arrive on standard input and are answered on standard output. A message consists of its length as eight
/// bytes in little-endian order, followed by JSON.
private struct StandardStreams: MessageConnection {
  func sendMessage<Message: Encodable>(_ message: Message) throws {
    let payload = try JSONEncoder().encode(message)
    let header = (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (8 * $0)) }
    try FileHandle.standardOutput.write(contentsOf: Data(header) + payload)
  }

  func waitForNextMessage<Message: Decodable>(_ type: Message.Type) throws -> Message? {
    guard let header = try read(8) else { return nil }
    let count = header.reversed().reduce(0) { $0 << 8 | Int($1) }
    // An empty message ends the stream.
    guard count > 0 else { return nil }
    return try read(count).map { try JSONDecoder().decode(type, from: $0) }
  }

  /// Returns the next `count` bytes; `nil` if the compiler has closed the stream.
  private func read(_ count: Int) throws -> Data? {
    var data = Data()
    while data.count < count {
      guard let more = try FileHandle.standardInput.read(upToCount: count - data.count), !more.isEmpty else {
        return nil
      }
      data += more
    }
    return data
  }
}
