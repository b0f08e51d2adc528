import Anvil
import AnvilSQLite
import Foundation
import Testing

// sample: references
@StoredModel
struct Category: Identifiable {
  @MatchKey var id: Int
  var name: String
  var parent: Reference<Category>?
}

@StoredModel
struct Product: Identifiable {
  @MatchKey var id: Int
  var category: Reference<Category>?  // "category": 5
  var similar: [Reference<Product>]  // "similar": [7, 8]
}
// end sample

@Suite(.timeLimit(.minutes(15))) struct ReferenceSamples {
  @Test func referencesAreFollowedInBothDirections() async throws {
    let store = try await Store(.inMemory)
    try await store.save([
      Product(id: 1, category: Reference(id: 5), similar: [Reference(id: 2), Reference(id: 9)]),
      Product(id: 2, category: Reference(id: 5), similar: []),
    ])
    try await store.save(Category(id: 5, name: "tools", parent: Reference(id: 1)))
    // sample: follow-references
    let siblings = try await store.fetch(Product.self, where: \.category.id == 5)
    let pointing = try await store.fetch(Product.self, where: .contains(\.similar, 2))
    // end sample
    // sample: conditions-on-references
    let tools = try await store.fetch(
      Product.self, where: \.category.name == "tools" || \.category.parent.name == "tools",
      orderedBy: [.ascending(\.category.name), .descending(\.id)])
    let related = try await store.fetch(Product.self, where: .any(\.similar, where: \.category.name == "tools"))
    let unrelated = try await store.count(
      Product.self, where: .noneOf(\.similar, where: .all) && \.category.parent.name == nil)
    let linked = try await store.fetch(
      Product.self, where: .count(\.similar) > 1 && .count(\.similar, where: \.id < 9) == 1,
      orderedBy: [.descending(.count(\.similar))])
    // end sample
    #expect(tools.map(\.id) == [2, 1] && related.map(\.id) == [1] && unrelated == 1)
    #expect(linked.map(\.id) == [1])
    // sample: related
    let found = try await store.fetch(Product.self, with: \.category, \.similar, where: \.id < 100)
    for (product, category, similar) in found {
      print(product.id, category?.name ?? "no category", similar.map(\.id))
    }
    // end sample
    #expect(found.map { $0.1?.name } == ["tools", "tools"] && found.map { $0.2.map(\.id) } == [[2], []])
    #expect(siblings.map(\.id) == [1, 2] && pointing.map(\.id) == [1])
  }
}
