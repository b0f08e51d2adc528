/// What a field that is always null, or an array that is always empty, is decoded as.
struct Nothing: Codable, Equatable, Sendable {}
