internal import AnvilJSON
internal import AnvilModel

/// Reads the elements of an array.
struct ElementReader {
  private var elements: PieceReader<ElementSplitter>
  private let format: any DecodingFormat

  init(_ body: HTTP.Body, format: any DecodingFormat, limit: Int) {
    let options = (format as? JSON.Decoder)?.parsingOptions ?? JSON.ParsingOptions()
    elements = PieceReader(body, ElementSplitter(sizeLimit: limit, depthLimit: options.depthLimit))
    self.format = format
  }

  /// The next element's bytes; `nil` at the end.
  mutating func next() async throws -> ElementSplitter.Element? {
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

  func isJSON(_ element: ElementSplitter.Element) -> Bool { elements.splitter.isJSON(element) }

  /// Reads no further.
  mutating func stop() {
    elements.stop()
  }
}
