/// A query for rows of an entity: the condition and the order.
struct StoreQuery: Sendable {
  var predicate: StorePredicate?
  var orders: [StoreOrder] = []
  var limit: Int?
  var offset = 0
  /// The values of the order's columns in the last row before the first one to return.
  var after: [StoreValue]?
}
