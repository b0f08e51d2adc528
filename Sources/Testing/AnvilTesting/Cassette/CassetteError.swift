#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error thrown if a recording is missing, is invalid, or does not contain a requested exchange.
public struct CassetteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A description of the problem, with secrets left out.
  public let description: String
}

extension CassetteError: LocalizedError {
  /// The text of ``description``.
  public var errorDescription: String? { description }
}
