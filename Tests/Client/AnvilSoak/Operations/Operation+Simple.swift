import Anvil
import Foundation

extension Operation {
  /// A GET whose response identifies its operation.
  static let echo = Operation(name: "echo", weight: 10) { call, _ in
    let response = try await call.request("echo").execute().value
    call.check(try response.body.decode(as: Echo.self), response)
  }

  /// The same with a typed request, which decodes its error type.
  static let drift = Operation(name: "typed", weight: 6) { call, _ in
    let promise = call.request("echo").execute()
    let echo = try await promise.decode(as: Echo.self).value
    call.check(echo, try await promise.value)
  }

  /// A GET that may be redirected to another server, which must not see a secret.
  static let stranger = Operation(name: "stranger", weight: 5) { call, _ in
    let response = try await call.request("echo", query: ["stranger": "1"]).execute().value
    call.check(try response.body.decode(as: Echo.self), response)
  }

  /// A POST that may be repeated, which the server executes once.
  static let order = Operation(name: "order", weight: 8) { call, _ in
    var request = call.request("orders", method: .post)
    request.body = try .json(Numbered(version: 1))
    request.idempotency = .keyed
    let response = try await request.execute().value
    call.check(try response.body.decode(as: Echo.self), response)
    let record = call.server.ledger.record(of: call.id)
    call.findings.expect(
      record.effects == 1, "an order that succeeded was executed \(record.effects) times, operation \(call.id)")
  }

  /// A POST that must not be repeated after the server has executed it.
  static let payment = Operation(name: "payment", weight: 8) { call, _ in
    var request = call.request("payments", method: .post)
    request.body = try .json(Numbered(version: 1))
    let response = try await request.execute().value
    call.check(try response.body.decode(as: Echo.self), response)
    let record = call.server.ledger.record(of: call.id)
    call.findings.expect(
      record.effects == 1, "a payment that succeeded was made \(record.effects) times, operation \(call.id)")
  }

  /// A resource that may be returned from the cache.
  static let cached = Operation(name: "cached", weight: 14, isShared: true) { call, random in
    let id = random.below(12)
    let reader = "reader-\(random.below(3))"
    var request = call.request("cached", id)
    request.headers["X-Soak-Reader"] = .init(rawValue: reader)
    let entity = try await request.execute().decode(as: CachedEntity.self).value
    call.findings.expect(
      entity.id == id && entity.reader == reader && entity.text == Content.text(id, entity.version),
      "the cached resource \(id) for \(reader) is \(entity), operation \(call.id)")
    // An old version may be in transit for the maximum duration of a request.
    if let age = call.server.ledger.age(ofVersion: entity.version, of: id) {
      call.findings.expect(
        age < .seconds(60), "version \(entity.version) of the cached resource \(id) was out of date \(age) ago")
    }
  }

  /// Composed promises. The first success is used.
  static let promises = Operation(name: "promises", weight: 4) { call, _ in
    let first = call.request("echo").execute()
    let second = call.request("echo").execute()
    defer {
      first.cancel()
      second.cancel()
    }
    let response = try await Promise.race([first.recover { _ in second }, second.recover { _ in first }]).value
    call.check(try response.body.decode(as: Echo.self), response)
  }
}
