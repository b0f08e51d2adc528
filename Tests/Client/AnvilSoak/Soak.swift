import Anvil
import AnvilSQLite
import Foundation
import Synchronization

/// A run: a sequence of clients, the workers that use them concurrently, and the checks.
final class Soak: Sendable {
  private let options: SoakOptions
  private let findings: Findings
  private let secrets: Secrets
  private let running = RunningOperations()
  private let succeeded = Tally()
  private let failed = Tally()
  private let errors = Tally()
  private let random: SharedRandomSource
  private let folder: URL
  private let start = ContinuousClock.now

  init(_ options: SoakOptions) throws {
    self.options = options
    findings = Findings(seed: options.seed)
    secrets = Secrets(seed: options.seed, findings: findings)
    random = SharedRandomSource(seed: options.seed)
    folder = FileManager.default.temporaryDirectory.appending(
      path: "anvil-soak-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Runs until the time is up, and returns whether there were no findings.
  func run() async throws -> Bool {
    defer { try? FileManager.default.removeItem(at: folder) }
    report("soak: \(options.minutes) minutes, seed \(options.seed), \(options.pace) operations a second")
    let server = try SoakServer(seed: options.seed &+ 1, secrets: secrets, findings: findings)
    let rows = (0..<options.workers).map { WorkerRows(worker: $0, ledger: server.ledger) }
    let meter = Meter(findings: findings)
    let status = Task { await reportStatus(server, meter) }
    var epoch = 0
    while start.duration(to: .now) < options.duration {
      // A store opens connections on demand. It is closed too, so that its remains can be compared with those of the
      // first one.
      let store = try await Store(.sqlite(path: folder.appending(path: "store.db").path()))
      try await runEpoch(epoch, server: server, store: store.context, rows: rows)
      try await checkStore(store.context, rows)
      await store.close()
      await meter.endEpoch(epoch)
      epoch += 1
    }
    status.cancel()
    await status.value
    server.stop()
    summarize(server, meter)
    return findings.count == 0
  }

  /// Uses one client for a while, and closes it.
  private func runEpoch(
    _ epoch: Int, server: SoakServer, store: Store, rows: [WorkerRows]
  ) async throws {
    let client = try await SoakClient(
      server: server, store: store, folder: folder, secrets: secrets, findings: findings)
    let end = min(ContinuousClock.now + options.epoch, start + options.duration)
    await withTaskGroup { group in
      for worker in rows.indices {
        let random = random.fork()
        group.addTask { [self] in
          await work(
            worker, until: end, random, client: client, server: server, store: store, rows: rows[worker], epoch)
        }
      }
    }
    await client.close()
    client.searchRecords()
  }

  /// Runs one operation after the other, with pauses.
  private func work(
    _ worker: Int, until end: ContinuousClock.Instant, _ random: RandomSource, client: SoakClient, server: SoakServer,
    store: Store, rows: WorkerRows, _ epoch: Int
  ) async {
    var random = random
    var number = 0
    let mean = Double(options.workers) / options.pace
    while true {
      let pause = Duration.seconds(Double.random(in: 0...(2 * mean), using: &random))
      guard ContinuousClock.now + pause < end else { return }
      try? await Task.sleep(for: pause)
      number += 1
      let id = "\(epoch)-\(worker)-\(number)"
      let operation = random.pick(Operation.choices)
      let deadline = random.oneIn(14) ? random.milliseconds(1...300) : nil
      let call = Call(
        id: id, worker: worker, client: client, server: server, store: store, secrets: secrets, findings: findings,
        folder: folder.appending(path: id), rows: rows, deadline: deadline)
      // Downloads and events have no deadline, and end only when the server completes them.
      let limit = random.oneIn(14) ? random.milliseconds(0...300) : operation.isUnlimited ? .seconds(20) : nil
      await run(operation, call, limit, &random)
      if random.oneIn(40) { server.closeIdleConnections() }
    }
  }

  /// Runs an operation, cancels it after `limit`, and judges its error.
  private func run(_ operation: Operation, _ call: Call, _ limit: Duration?, _ random: inout RandomSource) async {
    call.server.ledger.begin(call.id)
    running.begin(call.id, kind: operation.name)
    let own = RandomSource(seed: random.next())
    let task = Task {
      var own = own
      try await operation.run(call, &own)
    }
    let canceller = limit.map { limit in
      Task {
        try await Task.sleep(for: limit)
        task.cancel()
      }
    }
    let result = await task.result
    canceller?.cancel()
    running.end(call.id)
    call.server.ledger.end(call.id)
    switch result {
    case .success: succeeded.add(operation.name)
    case .failure(let error):
      failed.add(operation.name)
      judge(error, operation, call, isHasty: limit != nil || call.deadline != nil)
    }
    try? FileManager.default.removeItem(at: call.folder)
  }

  private func judge(_ error: any Error, _ operation: Operation, _ call: Call, isHasty: Bool) {
    let faults = call.server.ledger.record(of: call.id).faults
    let verdict = Verdict(error, of: operation, faults: faults, isHasty: isHasty)
    errors.add(verdict.kind)
    var dumped = ""
    dump(error, to: &dumped)
    var texts = ["\(error)", String(reflecting: error), error.localizedDescription, dumped]
    if let report = FailureReport(error) { texts += ["\(report)", report.line, "\(report.json)"] }
    for text in texts { secrets.search(text, in: "the error of \(operation.name)") }
    if let complaint = verdict.complaint {
      findings.add("\(operation.name) \(call.id) failed, \(complaint) (faults: \(faults)): \(error)")
    }
  }

  /// Checks all rows while no worker writes.
  private func checkStore(_ store: Store, _ rows: [WorkerRows]) async throws {
    let items = try await store.fetch(Item.self).map { ($0.id, $0.version, $0.text) }
    let readings = try await store.fetch(Reading.self).map { ($0.id, $0.version, $0.text) }
    var known = 0
    for (worker, rows) in rows.enumerated() {
      for (all, ids) in [(items, Entities.items(of: worker)), (readings, Entities.readings(of: worker))] {
        let own = all.filter { ids.contains($0.0) }
        known += own.count
        for problem in rows.problems(own, among: ids) { findings.add(problem) }
      }
    }
    findings.expect(known == items.count + readings.count, "the store has rows that no worker has stored")
  }

  /// Prints a line each minute, and checks the invariants during the run.
  private func reportStatus(_ server: SoakServer, _ meter: Meter) async {
    var seconds = 0
    while true {
      do { try await Task.sleep(for: .seconds(1)) } catch { return }
      seconds += 1
      meter.sample()
      for operation in running.takeOverdue() { findings.add("\(operation) has not ended in time") }
      guard seconds % 60 == 0 else { continue }
      let usage = ProcessUsage.current
      report(
        "\(seconds / 60) min: \(succeeded.total) succeeded, \(failed.total) failed, \(running.count) under way, "
          + "\(server.requestCount.load(ordering: .relaxed)) requests; \(usage), "
          + "\(Int(usage.processorTime)) s of processor time; \(findings.count) findings")
    }
  }

  private func summarize(_ server: SoakServer, _ meter: Meter) {
    report(
      """

      soak: \(options.minutes) minutes, seed \(options.seed)
      requests:        \(server.requestCount.load(ordering: .relaxed))
      succeeded:       \(succeeded.total) (\(succeeded.summary))
      failed:          \(failed.total) (\(failed.summary))
      errors:          \(errors.summary)
      misbehaviours:   \(server.misbehaviours.total) (\(server.misbehaviours.summary))
      texts searched:  \(secrets.searchCount)
      \(meter.summary)
      processor time:  \(Int(ProcessUsage.current.processorTime)) s
      findings:        \(findings.count)
      """)
  }
}
