import Testing

@testable import AnvilShape
