import AnvilCodable

@JSONCodable
final class Node: Equatable {
  let value: Int
  var next: Node?

  init(value: Int, next: Node? = nil) {
    self.value = value
    self.next = next
  }

  static func == (left: Node, right: Node) -> Bool { left.value == right.value && left.next == right.next }
}

@JSONCodable @CodableNaming(.snakeCase)
final class Account: Equatable {
  private(set) var fullName: String
  @CodingKey("login", "id") @CodableAlias("number") var loginID: Int
  @CodableDefault(["user"]) var roles: [String]
  @CodableIgnored var visits = 0

  init(fullName: String, loginID: Int, roles: [String]) {
    self.fullName = fullName
    self.loginID = loginID
    self.roles = roles
  }

  static func == (left: Account, right: Account) -> Bool {
    left.fullName == right.fullName && left.loginID == right.loginID && left.roles == right.roles
  }
}

@JSONCodable
final class Holder<Value: Equatable>: Equatable {
  var value: Value
  var others: [Value]?
  var next: Holder?

  init(_ value: Value) { self.value = value }

  static func == (left: Holder, right: Holder) -> Bool {
    left.value == right.value && left.others == right.others && left.next == right.next
  }
}
