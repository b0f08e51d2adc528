package import AnvilBase
package import AnvilHTTP
package import AnvilJSON

/// A reader of the elements of a JSON array.
package struct ElementReader: ValueReader {
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

  /// Returns the next element, or the error of an element that is valid JSON but cannot be decoded; `nil` at the end.
  ///
  /// - Throws: Errors after which the start of the next element cannot be found.
  mutating func next<Value: Decodable>(as type: Value.Type) async throws -> Result<Value, any Error>? {
    guard let element = try await elements.next() else { return nil }
    do {
      return .success(try format.decode(type, from: element.bytes))
    } catch {
      let located = elements.splitter.locating(error, in: element)
      if elements.splitter.isJSON(element) { return .failure(located) }
      elements.stop()
      throw located
    }
  }

  /// Returns `error` with a path that starts with the index of the element.
  package static func locating(_ error: DecodingError, at index: Int) -> DecodingError {
    error.inElement(index) { _ in nil }
  }

  mutating func stop() {
    elements.stop()
  }
}
