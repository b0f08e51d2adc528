internal import AnvilBase
internal import AnvilBodies
internal import AnvilHTTP

extension TypedGatewayRequest where Failure: DecodingFailureRepresentable {
  /// Returns the pages of a list whose first page this request returns. Each page is decoded as `type` in the request's format.
  ///
  ///     var repos = gateway.request("users", "ada", "repos", query: ["per_page": 100]).pages(of: [Repo].self, by: .linkHeader)
  ///
  /// Each page is executed like any other request, with the same interceptors, retries and closures of
  /// ``recovering(_:)``. Reading the pages throws `Failure` only. A page whose link to the next page cannot be followed is returned before
  /// the error is thrown.
  ///
  /// If a page has status 204, or the body `null` for a type that is not optional, it is a page without items. If `type` cannot be decoded
  /// from an empty array, the sequence ends before this page.
  ///
  /// - Parameters:
  ///   - pagination: The rule that finds the next page.
  ///   - position: The position to start from, as saved by an earlier iteration.
  ///   - pageLimit: The maximum number of pages to request.
  public func pages<Value: Decodable & Sendable>(
    of type: Value.Type, by pagination: Pagination<Value>, from position: PagePosition = .start, pageLimit: Int = .max
  ) -> Pages<Value, Failure> {
    Pages(
      start: pagination.start(from: position), limit: pageLimit,
      load: { position in
        guard let (value, response) = try await page(at: position, by: pagination).pageContent(as: Value.self) else {
          return nil
        }
        let isEmpty = (value as? any Collection).map { $0.isEmpty }
        var page = Pages<Value, Failure>.Page(value: value, response: response, position: position, next: nil)
        try page.findNext(by: pagination, isEmpty: isEmpty)
        if isEmpty != true, case .number = position.page, let body = response.body.data {
          page.fingerprint = HashFunction.sha256.hexadecimal(of: body)
        }
        return page
      },
      failure: failure(reading: nil))
  }

  private func page<Value>(at position: PagePosition, by pagination: Pagination<Value>) throws -> Self {
    var request = failing(as: AnyError.self)
    try pagination.apply(position.page, &request)
    return request.failing(as: Failure.self)
  }

  /// Sends the request for a page. A response without a list, which is a page without items, has the value of an empty array. Returns `nil` if
  /// `Value` cannot be decoded from one.
  ///
  /// - Throws: `Failure`.
  private func pageContent<Value: Decodable & Sendable>(
    as type: Value.Type
  ) async throws -> (value: Value, response: HTTP.Response)? {
    do throws(AnyError) {
      let exchange = try await failing(as: AnyError.self).execute(as: Decoded<Value>.self)
      return (exchange.value, exchange.response)
    } catch {
      let response = (error.error as? DecodingFailure)?.response ?? (error.error as? TransportFailure)?.noContent
      guard let response, response.hasNoList else { throw failure(reading: nil)(error.error) }
      let empty = HTTP.Body(Data("[]".utf8), contentType: .applicationJSON)
      guard let value = try? empty.decode(as: Value.self, with: responseFormat) else { return nil }
      return (value, response)
    }
  }
}

extension Pages.Page {
  /// Sets the position after the page, or the error for a link that cannot be followed. The page is then returned before the error is thrown.
  fileprivate mutating func findNext(by pagination: Pagination<Value>, isEmpty: Bool?) throws {
    do {
      switch try pagination.next(value, response, position.page, isEmpty) {
      case .page(let page): next = PagePosition(page)
      case .end: statesEnd = true
      case .absent: break
      case .uncertainEnd(let reason): endDoubt = reason
      }
    } catch let error as PaginationError {
      linkError = error
    }
  }
}

extension GatewayRequest {
  /// Returns the pages of a list for a caller that stores each page.
  ///
  /// - Parameters:
  ///   - fingerprints: The hashes of pages before `position`.
  ///   - items: Returns the number of items in a page and a hash of them; `nil` if the page has no list of items.
  ///   - recover: Returns the value of a response that cannot be decoded, or `nil` to throw the failure.
  package func receivedPages<Value: Decodable & Sendable>(
    by pagination: Pagination<Value>, from position: PagePosition = .start, pageLimit: Int = .max,
    fingerprints: PageFingerprints = PageFingerprints(),
    items: @escaping @Sendable (Value) -> (count: Int, fingerprint: () -> String)?,
    recover: @escaping @Sendable (DecodingFailure) -> Value?
  ) -> Pages<Value, any Error> {
    var pages = Pages<Value, any Error>(
      start: pagination.start(from: position), limit: pageLimit,
      load: { position in
        let (value, response) = try await page(at: position, by: pagination).received(recover)
        var page = Pages<Value, any Error>.Page(value: value, response: response, position: position, next: nil)
        let items = items(value)
        let count = items?.count ?? 0
        if count > 0, case .number = position.page { page.fingerprint = items?.fingerprint() }
        try page.findNext(by: pagination, isEmpty: count == 0)
        return page
      },
      failure: { $0 })
    pages.fingerprints = fingerprints
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
}

extension Pagination {
  fileprivate func start(from position: PagePosition) -> PagePosition {
    position.page == .start ? PagePosition(first, itemsTaken: position.itemsTaken) : position
  }
}

extension TransportFailure {
  /// The response whose body is empty although a model was expected; `nil` for other failures.
  fileprivate var noContent: HTTP.Response? { error.code == .noData ? response : nil }
}

extension HTTP.Response {
  /// True for status 204, and for the JSON text `null`.
  fileprivate var hasNoList: Bool {
    if code == 204 { return true }
    guard let body = body.data, body.count <= 64 else { return false }
    return String(decoding: body, as: UTF8.self).filter { !$0.isWhitespace } == "null"
  }
}
