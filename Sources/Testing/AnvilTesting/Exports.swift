// The server is part of what tests use.
@_exported import AnvilServer
