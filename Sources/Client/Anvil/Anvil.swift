// Exports the complete public API of Anvil with one import.

@_exported import AnvilBodies
@_exported import AnvilClient
@_exported import AnvilCodable
@_exported import AnvilDiagnosis
@_exported import AnvilHTTP
@_exported import AnvilJSON

@_exported import struct AnvilBase.ArrayDecodingFactory
@_exported import typealias AnvilBase.CodableContainer
// Of AnvilBase only what programs use: it also exports FoundationEssentials, and in a file that imports Foundation, too, Swift 6.3 does not find
// `(TimeInterval).self`, which a parameterised test contains.
@_exported import protocol AnvilBase.DecodableContainer
@_exported import protocol AnvilBase.DecoderUpdatable
@_exported import protocol AnvilBase.DecodingFactory
@_exported import protocol AnvilBase.DecodingFormat
@_exported import protocol AnvilBase.EncodableContainer
@_exported import protocol AnvilBase.EncodingFormat

#if os(Linux)
@_exported import AnvilCurl
#else
@_exported import AnvilURLSession
#endif
