/// The type of fields that are always null, and of the elements of arrays that are always empty.
struct Nothing: Codable, Equatable, Sendable {}
