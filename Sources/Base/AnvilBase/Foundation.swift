// Dates, data and URLs, and the system's C library for every module, by one import. On Linux, Foundation's types come without the rest of
// Foundation, and without ICU.

#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif

#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#else
@_exported public import Darwin
#endif
