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
    machine.receiveExcess()
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
}
