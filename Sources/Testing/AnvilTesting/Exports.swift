// The server and the violations of contracts are part of what tests use.
@_exported import AnvilContracts
@_exported import AnvilServer
