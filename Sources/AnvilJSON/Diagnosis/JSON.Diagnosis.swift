extension JSON {
  /// What is wrong with a JSON text for those who wanted a model from it: every problem that is known, each with its place.
  public struct Diagnosis: Sendable {}
}
