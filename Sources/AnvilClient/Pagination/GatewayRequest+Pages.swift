internal import AnvilHTTP

extension TypedGatewayRequest where Failure: DecodingFailureRepresentable {
  /// Returns the pages of a list whose first page this request returns. Each page is decoded as `type` in the request's format.
  ///
  ///     var repos = gateway.request("users", "ada", "repos", query: ["per_page": 100]).pages(of: [Repo].self, by: .linkHeader)
  ///
  /// Each page is executed like any other request, with the same interceptors and strategies. Reading the pages throws `Failure` only.
  ///
  /// - Parameters:
  ///   - pagination: The rule that finds the next page.
  ///   - position: The position to start from, as saved by an earlier iteration.
  ///   - limit: The maximum number of pages to request.
  public func pages<Value: Decodable & Sendable>(
    of type: Value.Type, by pagination: Pagination<Value>, from position: PagePosition = .start, limit: Int = .max
  ) -> Pages<Value, Failure> {
    let start = position.page == .start ? PagePosition(pagination.first, itemsTaken: position.itemsTaken) : position
    return Pages(
      start: start, limit: limit,
      load: { position in
        let exchange: Decoded<Value> = try await page(at: position, by: pagination).execute(as: Decoded<Value>.self)
        let next = try pagination.next(exchange.value, exchange.response, position.page)
        return Pages<Value, Failure>.Page(
          value: exchange.value, response: exchange.response, position: position,
          next: next.page.map { PagePosition($0) }, endDoubt: next.doubt)
      },
      failure: { Failure($0, of: self) })
  }

  /// Returns the request for the page at `position`.
  private func page<Value>(at position: PagePosition, by pagination: Pagination<Value>) throws -> Self {
    var request = failing(as: AnyError.self)
    try pagination.apply(position.page, &request)
    return request.failing(as: Failure.self)
  }
}

extension GatewayRequest {
  /// Returns the pages of a list for a caller that stores each page. If the link to the next page cannot be followed, the page that
  /// contains it is returned before the error is thrown.
  ///
  /// - Parameter recover: Returns the value of a response that cannot be decoded, or `nil` to throw the failure.
  package func receivedPages<Value: Decodable & Sendable>(
    by pagination: Pagination<Value>, from position: PagePosition = .start, limit: Int = .max,
    recover: @escaping @Sendable (DecodingFailure) -> Value?
  ) -> Pages<Value, any Error> {
    let start = position.page == .start ? PagePosition(pagination.first, itemsTaken: position.itemsTaken) : position
    return Pages(
      start: start, limit: limit,
      load: { position in
        let (value, response) = try await page(at: position, by: pagination).received(recover)
        var page = Pages<Value, any Error>.Page(value: value, response: response, position: position, next: nil)
        do {
          let next = try pagination.next(value, response, position.page)
          page.next = next.page.map { PagePosition($0) }
          page.endDoubt = next.doubt
        } catch let error as PaginationError {
          page.linkError = error
        }
        return page
      },
      failure: { $0 })
  }

  private func received<Value: Decodable & Sendable>(
    _ recover: (DecodingFailure) -> Value?
  ) async throws -> (Value, HTTP.Response) {
    do throws(AnyError) {
      let exchange = try await execute(as: Decoded<Value>.self)
      return (exchange.value, exchange.response)
    } catch {
      guard let failure = error.error as? DecodingFailure, let value = recover(failure) else { throw error.error }
      return (value, failure.response)
    }
  }
}

extension DecodingFailureRepresentable {
  /// Creates the failure for `error`, which was thrown by reading a page of `request`.
  fileprivate init(_ error: any Error, of request: TypedGatewayRequest<Self>) {
    switch error {
    case let failure as Self: self = failure
    default:
      do throws(TransportFailure) {
        let code: TransportError.Code =
          error is PaginationError ? .malformedResponse : error is CancellationError ? .cancelled : .other
        self.init(
          transportFailure: TransportFailure(
            error: TransportError(code: code, reason: "\(error)", underlyingError: error),
            request: try request.makeHTTPRequest()))
      } catch {
        self.init(transportFailure: error)
      }
    }
  }
}
