// Dates, data and URLs for every module, by one import. On Linux they come without the rest of Foundation, and without ICU.

#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
