/// The values of a row's key, in the order of the key's columns. None of them is null.
enum RowKey: Hashable, Sendable {
  // Most keys have one value. An array would need an additional allocation for each row.
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
