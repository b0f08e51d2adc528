package import AnvilHTTP
package import AnvilJSON
package import AnvilModel

/// A reader of the elements of a JSON array.
package struct ElementReader {
  private var elements: PieceReader<ElementSplitter>
  private let format: any DecodingFormat

  package init(_ body: HTTP.Body, format: any DecodingFormat, limit: Int) {
    let options = (format as? JSON.Decoder)?.parsingOptions ?? JSON.ParsingOptions()
    elements = PieceReader(body, ElementSplitter(sizeLimit: limit, depthLimit: options.depthLimit))
    self.format = format
  }

  /// Returns the bytes of the next element; `nil` at the end.
  package mutating func next() async throws -> ElementSplitter.Element? {
    try await elements.next()
  }

  /// Decodes `element`, which must be the one that was returned last.
  func decode<Value: Decodable>(_ type: Value.Type, from element: ElementSplitter.Element) throws -> Value {
    do {
      return try format.decode(type, from: element.bytes)
    } catch {
      throw elements.splitter.locating(error, in: element)
    }
  }

  /// Returns `error` with a path that starts with the index of the element.
  package static func locating(_ error: DecodingError, at index: Int) -> DecodingError {
    error.inElement(index) { _ in nil }
  }

  func isJSON(_ element: ElementSplitter.Element) -> Bool { elements.splitter.isJSON(element) }

  /// Stops reading.
  mutating func stop() {
    elements.stop()
  }
}
