import CStoreLoop
import Foundation

/// A record as a C structure. Its strings are not freed.
struct CRecord {
  private(set) var record = store_record()

  init(number: Int) {
    record.number = Int64(number)
  }

  init(key: String) {
    record.key = store_text(key)
  }

  mutating func set(
    _ login: String, _ name: String, _ email: String, _ summary: String, _ kind: String, _ company: String?
  ) {
    (record.login, record.name, record.email) = (store_text(login), store_text(name), store_text(email))
    (record.summary, record.kind) = (store_text(summary), store_text(kind))
    record.company = company.map { store_text($0) } ?? store_text()
  }

  mutating func set(_ followers: Int, _ score: Double, _ isAdmin: Bool, _ created: Date) {
    (record.followers, record.score, record.is_admin) = (Int64(followers), score, isAdmin)
    record.created = store_text(created.storedText)
  }
}

extension Date {
  /// The text that the store writes into a column of dates. Benchmarks have no date with a part of a millisecond.
  fileprivate var storedText: String {
    formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)).dropLast() + "000000Z"
  }
}

extension store_text {
  fileprivate init(_ text: String) {
    self.init(bytes: strdup(text), length: Int32(text.utf8.count))
  }
}
