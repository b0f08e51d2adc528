internal import AnvilHTTP

extension GatewayRequest {
  /// Returns the pages of a list whose first page this request returns. Each page is decoded as `type` in the request's format.
  ///
  ///     var repos = gateway.request("users", "ada", "repos", query: ["per_page": 100]).pages(of: [Repo].self, by: .linkHeader)
  ///
  /// Each page is executed like any other request, with the same interceptors and strategies.
  ///
  /// - Parameters:
  ///   - pagination: The rule that finds the next page.
  ///   - position: The position to start from, as saved by an earlier iteration.
  ///   - limit: The maximum number of pages to request.
  public func pages<Value: Decodable & Sendable>(
    of type: Value.Type, by pagination: Pagination<Value>, from position: PagePosition = .start, limit: Int = .max
  ) -> Pages<Value, any Error> {
    pages(by: pagination, from: position, limit: limit) { $0 }
  }

  /// Returns the pages of a list for a caller that stores each page. If the link to the next page cannot be followed, the page that
  /// contains it is returned before the error is thrown.
  ///
  /// - Parameter recover: Returns the value of a response that cannot be decoded, or `nil` to throw the failure.
  package func receivedPages<Value: Decodable & Sendable>(
    by pagination: Pagination<Value>, from position: PagePosition = .start, limit: Int = .max,
    recover: @escaping @Sendable (DecodingFailure) -> Value?
  ) -> Pages<Value, any Error> {
    var pages = pages(by: pagination, from: position, limit: limit) { $0 }
    pages.load = { position in
      var request = self
      try pagination.apply(position.page, &request)
      let (value, response) = try await request.received(recover)
      var page = Pages<Value, any Error>.Page(value: value, response: response, position: position, next: nil)
      do {
        let next = try pagination.next(value, response, position.page)
        page.next = next.page.map { PagePosition($0) }
        page.endDoubt = next.doubt
      } catch let error as PaginationError {
        page.linkError = error
      }
      return page
    }
    return pages
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

  /// Returns the pages of a list. Iterating them throws the errors that `failure` returns.
  func pages<Value: Decodable & Sendable, Failure: Error>(
    by pagination: Pagination<Value>, from position: PagePosition, limit: Int,
    failure: @escaping @Sendable (any Error) -> Failure
  ) -> Pages<Value, Failure> {
    let start = position.page == .start ? PagePosition(pagination.first, itemsTaken: position.itemsTaken) : position
    return Pages(
      start: start, limit: limit,
      load: { position in
        var request = self
        try pagination.apply(position.page, &request)
        let exchange: Decoded<Value>
        do throws(AnyError) {
          exchange = try await request.execute(as: Decoded<Value>.self)
        } catch {
          throw error.error
        }
        let next = try pagination.next(exchange.value, exchange.response, position.page)
        return Pages<Value, Failure>.Page(
          value: exchange.value, response: exchange.response, position: position,
          next: next.page.map { PagePosition($0) }, endDoubt: next.doubt)
      }, failure: failure)
  }
}
