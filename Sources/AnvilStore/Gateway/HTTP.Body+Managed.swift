public import AnvilHTTP
internal import AnvilJSON
internal import AnvilModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Bodies into the store.
extension HTTP.Body {
  /// Creates or updates a model for each element of the JSON array that the body is, as they arrive, and says what became of the
  /// rows.
  ///
  ///     let response = try await gateway.request("users").stream().value
  ///     let changes = try await response.body.storeElements(of: User.self, in: context)
  ///
  /// Each batch is a transaction: no more is in memory than one, and when the body turns out to be cut off, or an element to be
  /// none of the model's, the batches before it are committed. See `elements(of:with:upTo:)` for what is read, and
  /// ``ManagedDecodable/createOrUpdate(in:from:)`` for what is done with it. Rows are counted once in each batch.
  ///
  /// A transaction has at most `batchSize` elements, and an element at most `limit` bytes: 16 MiB unless given.
  ///
  /// - Throws: what reading the elements throws, ``StoreError``, `CancellationError`.
  @discardableResult
  public func storeElements<Model: ManagedDecodable & Codable>(
    of type: Model.Type, in context: StoreContext, batchSize: Int = 1_000, upTo limit: Int = 1 << 24
  ) async throws -> StoreChanges.Counts where Model.Context == StoreTransaction {
    let format = decodingFormat
    var reader = ElementReader(self, format: format, limit: limit)
    var counts = StoreChanges.Counts()
    var isAtEnd = false
    while !isAtEnd {
      var batch: [(bytes: Data, index: Int)] = []
      var failure: (any Error)?
      do {
        while batch.count < Swift.max(batchSize, 1) {
          guard let element = try await reader.next() else {
            isAtEnd = true
            break
          }
          batch.append((element.bytes, element.index))
        }
      } catch {
        failure = error
      }
      if !batch.isEmpty {
        counts += try await context.perform { [batch] transaction in
          try transaction.createOrUpdate(type, batch, format)
        }
      }
      if let failure { throw failure }
    }
    return counts
  }
}

extension StoreTransaction {
  fileprivate func createOrUpdate<Model: ManagedDecodable & Codable>(
    _ type: Model.Type, _ batch: [(bytes: Data, index: Int)], _ format: any DecodingFormat
  ) throws -> StoreChanges.Counts where Model.Context == StoreTransaction {
    var rest = batch[...]
    var current = batch.first?.index ?? 0
    do {
      return try createOrUpdate(
        type,
        next: { size in
          defer { rest = rest.dropFirst(size) }
          return rest.prefix(size).map { format.decoder(for: $0.bytes) }
        },
        willCreate: { current = batch[$0].index }
      ).changes
    } catch let error as DecodingError {
      throw ElementReader.locating(error, at: current)
    }
  }
}
