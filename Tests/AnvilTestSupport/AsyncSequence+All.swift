extension AsyncSequence {
  /// All elements, and the error that ended the sequence.
  package func all() async -> (elements: [Element], error: (any Error)?) {
    var elements: [Element] = []
    do {
      for try await element in self { elements.append(element) }
      return (elements, nil)
    } catch {
      return (elements, error)
    }
  }
}
