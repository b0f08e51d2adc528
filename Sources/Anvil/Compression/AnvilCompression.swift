// `HTTP.Body.gzipped(_:)`, with the rest of the package by one import.

@_exported import AnvilCompression
