internal import AnvilJSON

/// What samples of JSON have in common: which members and elements there are, of which kinds, and which may be absent.
package struct Shape: Sendable {}
