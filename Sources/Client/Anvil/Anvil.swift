// Exports the complete public API of Anvil with one import.

@_exported import AnvilBase
@_exported import AnvilBodies
@_exported import AnvilClient
@_exported import AnvilCodable
@_exported import AnvilDiagnosis
@_exported import AnvilHTTP
@_exported import AnvilJSON

#if os(Linux)
@_exported import AnvilCurl
#else
@_exported import AnvilURLSession
#endif
