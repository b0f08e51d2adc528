import AnvilHTTP
import Foundation
import Testing

@testable import AnvilClient

/// The state of a download after each response, without files and sockets.
@Suite struct DownloadMachineTests {
  private let request: HTTP.Request
  private var machine: DownloadMachine

  /// A machine that has 50 bytes of 100.
  init() throws {
    request = HTTP.Request(url: try #require(URL(string: "https://files.example.com/big.iso")))
    let validator = try #require(StrongValidator([.eTag: "\"v1\""]))
    let record = DownloadRecord(source: "", validator: validator, total: 100, count: 50)
    machine = DownloadMachine(request: request, options: DownloadOptions(), kept: (record, validator))
  }

  private func response(_ status: HTTP.Status, _ headers: HTTP.Headers) -> HTTP.Response {
    HTTP.Response(request: machine.request, status: status, headers: headers)
  }

  @Test func aPartOfAnotherStateDiscardsTheOldBytes() {
    var machine = machine
    let answer = machine.receive(response(206, [.eTag: "\"v2\"", .contentRange: "bytes 50-99/100"]))
    guard case .discardAndRetry = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(machine.count == 0 && machine.total == nil && machine.validator == nil)
    #expect(machine.record(source: "") == nil && !machine.request.headers.contains(.range))
  }

  @Test func distrustDiscardsTheReceivedBytes() {
    var machine = machine
    machine.discardReceivedBytes()
    #expect(machine.count == 0 && machine.total == nil && machine.validator == nil)
  }

  @Test func aWholeResponseReplacesTheReceivedBytes() {
    var machine = machine
    let answer = machine.receive(response(200, [.eTag: "\"v2\""]))
    guard case .restart(limit: nil) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(machine.count == 0 && machine.total == nil && machine.validator?.value == "\"v2\"")
  }

  @Test(arguments: [
    (HTTP.Method.get, RequestSettings.Idempotency.byMethod, true), (.put, .byMethod, false),
    (.delete, .byMethod, false), (.post, .byMethod, false), (.post, .idempotent, false), (.get, .notIdempotent, false),
  ])
  func r1_onlySafeRequestsBeginAgainAfterAHead(
    method: HTTP.Method, idempotency: RequestSettings.Idempotency, afterHead: Bool
  ) {
    var options = DownloadOptions()
    options.idempotency = idempotency
    func mayContinue(hasHead: Bool) -> Bool {
      var machine = DownloadMachine(
        request: HTTP.Request(method: method, url: request.url), options: options)
      if hasHead { _ = machine.receive(HTTP.Response(request: machine.request, status: 200)) }
      return machine.lose(isTransient: true) != .fail
    }
    #expect(mayContinue(hasHead: true) == afterHead)
    options.reconnects = .always
    #expect(mayContinue(hasHead: true) && !mayContinue(hasHead: false))
  }

  /// The bytes of such a response could be the rest of the file, so they must not be resumed.
  @Test func aWholeResponseWithTheSameValidatorAndNoLengthIsNotResumed() {
    var machine = machine
    guard case .restart(limit: 100) = machine.receive(response(200, [.eTag: "\"v1\""])) else {
      Issue.record("not a restart")
      return
    }
    machine.add(50)
    #expect(!machine.finish(isPart: false) && machine.record(source: "") == nil)
    #expect(!machine.request.headers.contains(.range))
  }

  @Test func aWholeResponseIsNotShorterThanTheBytesWithItsValidator() throws {
    let validator = try #require(StrongValidator([.eTag: "\"v1\""]))
    let record = DownloadRecord(source: "", validator: validator, total: nil, count: 50)
    var machine = DownloadMachine(request: request, options: DownloadOptions(), kept: (record, validator))
    var short = machine
    guard case .fail = short.receive(response(200, [.eTag: "\"v1\"", .contentLength: "49"])) else {
      Issue.record("a shorter file was accepted")
      return
    }
    _ = machine.receive(response(200, [.eTag: "\"v1\""]))
    machine.add(49)
    var isWhole = machine.finish(isPart: false)
    #expect(!isWhole)
    machine.add(1)
    isWhole = machine.finish(isPart: false)
    #expect(isWhole)
  }

  /// A range that ends beyond the known total contradicts the validator, which is the same.
  @Test(arguments: ["bytes 50-100/*", "bytes 50-149/*"]) func aPartBeyondTheTotalIsNotAppended(range: String) {
    var machine = machine
    guard
      case .discardAndRetry = machine.receive(
        response(206, [.eTag: "\"v1\"", .contentRange: HTTP.HeaderValue(rawValue: range)]))
    else {
      Issue.record("the part was accepted")
      return
    }
    #expect(machine.count == 0 && !machine.request.headers.contains(.range))
  }

  /// A machine that has 50 bytes of a file of unknown length, and has received 30 bytes of the range 50-99.
  private func machineAfterACutPart() throws -> DownloadMachine {
    let validator = try #require(StrongValidator([.eTag: "\"v1\""]))
    let record = DownloadRecord(source: "", validator: validator, total: nil, count: 50)
    var machine = DownloadMachine(request: request, options: DownloadOptions(), kept: (record, validator))
    guard case .append(limit: 50) = machine.receive(response(206, [.eTag: "\"v1\"", .contentRange: "bytes 50-99/*"]))
    else {
      Issue.record("the part was refused")
      return machine
    }
    machine.add(30)
    let isWhole = machine.finish(isPart: true)
    #expect(!isWhole)
    return machine
  }

  /// The ranges are known to later downloads, too.
  @Test func theRecordContainsTheRanges() throws {
    let machine = try machineAfterACutPart()
    let data = try #require(machine.record(source: "a")?.data)
    let kept = try #require(DownloadRecord.read(data, source: "a", size: 80))
    var later = DownloadMachine(request: request, options: DownloadOptions(), kept: kept)
    #expect(later.request.headers[.range] == "bytes=80-")
    let mayBeKept = later.receiveUnsatisfied(response(416, [.contentRange: "bytes */80"]))
    #expect(!mayBeKept)
  }

  @Test func aFileIsNotShorterThanARangeOfIt() throws {
    var confirmed = try machineAfterACutPart()
    let mayBeKept = confirmed.receiveUnsatisfied(response(416, [.contentRange: "bytes */80"]))
    #expect(!mayBeKept && confirmed.count == 0)
    var contradicted = try machineAfterACutPart()
    guard
      case .discardAndRetry = contradicted.receive(response(206, [.eTag: "\"v1\"", .contentRange: "bytes 80-89/90"]))
    else {
      Issue.record("a file of 90 bytes was accepted")
      return
    }
    var repeated = try machineAfterACutPart()
    guard case .fail = repeated.receive(response(200, [.eTag: "\"v1\"", .contentLength: "99"])) else {
      Issue.record("a file of 99 bytes was accepted")
      return
    }
    var unknown = try machineAfterACutPart()
    _ = unknown.receive(response(200, [.eTag: "\"v1\""]))
    unknown.add(99)
    var isWhole = unknown.finish(isPart: false)
    #expect(!isWhole)
    unknown.add(1)
    isWhole = unknown.finish(isPart: false)
    #expect(isWhole)
    // Another state of the resource may be shorter.
    var changed = try machineAfterACutPart()
    _ = changed.receive(response(200, [.eTag: "\"v2\""]))
    changed.add(10)
    isWhole = changed.finish(isPart: false)
    #expect(isWhole)
  }
}
