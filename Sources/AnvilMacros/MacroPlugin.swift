import AnvilMacroExpansion
import SwiftSyntaxMacros

#if canImport(SwiftCompilerPlugin)
import SwiftCompilerPlugin

/// The program that the compiler runs to expand the macros of this package, if swift-syntax is a package dependency. This variant has never
/// been built.
@main
struct MacroPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    CodableMacro.self, DecodableMacro.self, EncodableMacro.self, MarkerMacro.self, StoredModelMacro.self,
  ]
}
#else
import Foundation
@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling

/// The program that the compiler runs to expand the macros of this package.
@main
struct MacroPlugin: PluginProvider {
  struct UnknownMacro: Error {
    let name: String
  }

  func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
    switch typeName {
    case "CodableMacro": CodableMacro.self
    case "DecodableMacro": DecodableMacro.self
    case "EncodableMacro": EncodableMacro.self
    case "MarkerMacro": MarkerMacro.self
    case "StoredModelMacro": StoredModelMacro.self
    default: throw UnknownMacro(name: typeName)
    }
  }

  static func main() throws {
    try CompilerPluginMessageListener(connection: StandardStreams(), provider: MacroPlugin()).main()
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
#endif
