#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension URL {
  /// The URL with credentials, query values and fragment replaced by `<redacted>`. The names in the query are kept.
  package var redactedDescription: String { HTTP.Redaction().shown(self) }
}
