/// A query for rows of an entity: the condition and the order.
struct StoreQuery: Sendable {
  var predicate: StorePredicate?
  var orders: [StoreOrder] = []
  var limit: Int?
  var offset = 0
  /// The position after which rows are returned: the values of the row before the first result, in the columns that determine the order.
  var after: [StoreValue]?
}
