internal import Anvil
internal import AnvilHTTP
internal import AnvilJSON
internal import AnvilPostgres
internal import AnvilSQLite
internal import AnvilStore
internal import AnvilSync
internal import Foundation

/// Implements `anvil pull`: stores the API listings that a configuration file describes in a database and keeps them
/// up to date.
struct PullCommand {
  let options: PullOptions
  let console: Console

  private static let busyTimeout = Duration.seconds(30)

  func run() async -> ExitStatus {
    do {
      let text = try await DocumentReader(console: console).read(.file(options.file))
      let file = try PullFile.read(text.bytes, name: options.file)
      guard let database = options.into ?? file.into else {
        throw UsageError("there is no database: set \"into\" in \(options.file.quotedExcerpt), or use --into")
      }
      let location = try DatabaseLocation(database, acceptsServers: true)
      var plans = try plans(of: file, in: nil)
      if options.printsStatus, !Self.exists(location) {
        console.write(PullStatus(positions: [], names: plans.map(\.name)).text)
        return .success
      }
      let store = try await Self.open(location)
      if options.lease != nil { plans = try self.plans(of: file, in: store) }
      let status = await run(plans, in: store, interval: file.interval ?? 60)
      await store.close()
      return status
    } catch let failure as DocumentReader.Failure {
      return failure.status
    } catch {
      return PullFailure(error).report(to: console)
    }
  }

  private func run(_ plans: [PullPlan], in store: Store, interval: Double) async -> ExitStatus {
    do {
      if options.printsStatus {
        console.write(PullStatus(positions: try await store.pullPositions(), names: plans.map(\.name)).text)
        return .success
      }
      if options.isFresh { for plan in plans { try await store.forgetPosition(of: plan) } }
    } catch {
      return PullFailure(error).report(to: console)
    }
    let sharing = options.lease.map { PullSharing.leases(of: $0) } ?? .single
    let round = PullRound(
      plans: plans, store: store, workerCount: options.workerCount, sharing: sharing, console: console)
    guard options.watches else { return await round.run() }
    return await watch(round, interval: interval)
  }

  /// Runs the pulls repeatedly, until the process receives a termination signal or a pull cannot run as the file describes it.
  ///
  /// - Returns: The status of the last run that was not interrupted.
  private func watch(_ round: PullRound, interval: Double) async -> ExitStatus {
    let termination = TerminationSignals()
    defer { withExtendedLifetime(termination) {} }
    let signals = termination.signals
    return await withTaskGroup(of: ExitStatus?.self) { group in
      group.addTask {
        var last = ExitStatus.success
        while true {
          let status = await round.run()
          guard !Task.isCancelled else { return last }
          if status == .usage { return status }
          last = status
          try? await Task.sleep(for: .seconds(interval))
        }
      }
      group.addTask {
        for await _ in signals { break }
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      // After a signal, the status of the runs.
      let rest = await group.next() ?? nil
      return first ?? rest ?? .success
    }
  }

  /// Returns the pulls of the file. With a store, their requests share rate limits with other processes.
  private func plans(of file: PullFile, in store: Store?) throws -> [PullPlan] {
    var configuration = ClientConfiguration.standard
    let coordinator = store.map { StoreCoordinator($0) }
    if let limit = file.rateLimit {
      configuration.rateLimit = RateLimiter(
        requests: limit.requests, per: .seconds(limit.seconds), coordinator: coordinator)
    } else if let coordinator {
      configuration.rateLimit = RateLimiter(coordinator: coordinator)
    }
    for (name, value) in file.headers ?? [:] {
      configuration.headers.add(HTTP.HeaderKey(rawValue: name), HTTP.HeaderValue(rawValue: value))
    }
    if let credential = try options.credentials.credential(for: file.baseURL) {
      configuration.authentication = [.credential(credential)]
    }
    let gateway = Gateway(baseURL: file.baseURL, configuration: configuration)
    return try file.listings.map { try $0.plan(gateway) }
  }

  private static func open(_ location: DatabaseLocation) async throws -> Store {
    switch location {
    case .file(let path): try await Store(.sqlite(path: path, busyTimeout: busyTimeout))
    case .server(let url): try await Store(.postgres(url))
    }
  }

  /// Returns `false` if the location is a file that does not exist.
  private static func exists(_ location: DatabaseLocation) -> Bool {
    switch location {
    case .file(let path): FileManager.default.fileExists(atPath: path)
    case .server: true
    }
  }
}
