package import AnvilJSON
package import AnvilModel

/// Reads the elements of an array.
package struct ElementReader {
  private var elements: PieceReader<ElementSplitter>
  private let format: any DecodingFormat

  package init(_ body: HTTP.Body, format: any DecodingFormat, limit: Int) {
    let options = (format as? JSON.Decoder)?.parsingOptions ?? JSON.ParsingOptions()
    elements = PieceReader(body, ElementSplitter(sizeLimit: limit, depthLimit: options.depthLimit))
    self.format = format
  }

  /// The next element's bytes; `nil` at the end.
  package mutating func next() async throws -> ElementSplitter.Element? {
    try await elements.next()
  }

  /// The value of `element`, which is the last that was given.
  func decode<Value: Decodable>(_ type: Value.Type, from element: ElementSplitter.Element) throws -> Value {
    do {
      return try format.decode(type, from: element.bytes)
    } catch {
      throw elements.splitter.locating(error, in: element)
    }
  }

  /// The error of the element at this index, with its place in the array.
  package static func locating(_ error: DecodingError, at index: Int) -> DecodingError {
    error.inElement(index) { _ in nil }
  }

  func isJSON(_ element: ElementSplitter.Element) -> Bool { elements.splitter.isJSON(element) }

  /// Reads no further.
  mutating func stop() {
    elements.stop()
  }
}
