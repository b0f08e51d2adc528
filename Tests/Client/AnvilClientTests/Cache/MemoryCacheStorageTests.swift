import AnvilClient
import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15)))
struct MemoryCacheStorageTests {
  @Test(arguments: CacheStorageContract.cases)
  func holds(_ contractCase: CacheStorageContract.Case) async throws {
    try await contractCase.run { MemoryCacheStorage(sizeLimit: $0) }
  }

  @Test func theSizeIsThatOfTheStoredEntries() async throws {
    let storage = MemoryCacheStorage()
    let service = try CachedService(storage: storage)
    service.serve([.cacheControl: "max-age=100"])
    #expect(storage.size == 0)
    _ = try await service.send()
    #expect(storage.size > 1)
    for _ in 1...1_000 { _ = try await service.send() }
    storage.removeAll(for: try #require(CacheKey(service.url)))
    #expect(storage.size == 0)
    #expect(try await service.send().outcome == .miss)
    storage.removeAll()
    #expect(storage.size == 0)
  }
}
