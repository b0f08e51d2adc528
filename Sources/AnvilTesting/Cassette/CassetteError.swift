#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a recording cannot be used: it is not there, is none, or does not have what was asked for.
public struct CassetteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is the matter; secrets are left out.
  public let description: String
}

extension CassetteError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
