/// Waits until `condition` holds, without keeping a thread of the pool busy.
///
/// It has no limit other than the test's: it returns early if the task is cancelled. Public for SampleTests.
public func waitUntil<Failure>(_ condition: () async throws(Failure) -> Bool) async throws(Failure) {
  while try await !condition(), (try? await Task.sleep(for: .milliseconds(1))) != nil {}
}

/// Waits until the task is cancelled.
package func waitForCancellation() async {
  while (try? await Task.sleep(for: .seconds(60))) != nil {}
}
