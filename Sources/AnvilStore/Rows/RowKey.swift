/// The values of a row's key, in the order of the key's columns; none of them null.
enum RowKey: Hashable, Sendable {
  // Most keys are one value: an array for each row would be one more allocation.
  case one(StoreValue)
  case several([StoreValue])

  init(_ values: [StoreValue]) {
    self = values.count == 1 ? .one(values[0]) : .several(values)
  }

  var values: [StoreValue] {
    switch self {
    case .one(let value): [value]
    case .several(let values): values
    }
  }
}
