// Everything that a user of Anvil needs, by one import.

@_exported import AnvilClient
@_exported import AnvilHTTP
@_exported import AnvilJSON
@_exported import AnvilModel
@_exported import AnvilURLSession

#if os(Linux)
@_exported import AnvilCurl
#endif
