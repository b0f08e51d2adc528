/// Which rows of an entity are asked for, and in which order.
struct StoreQuery: Sendable {
  var predicate: StorePredicate?
  var orders: [StoreOrder] = []
  var limit: Int?
  var offset = 0
  /// The values of the order's columns in the row after which the rows begin.
  var after: [StoreValue]?
}
