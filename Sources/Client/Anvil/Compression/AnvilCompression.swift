// Exports `HTTP.Body.gzipped(_:)` with the rest of the package.

@_exported import AnvilCompression
