public protocol CounterHandler: AnyObject, Sendable {
  func increment(by: Int64)
  func reset()
}

public protocol MeterHandler: AnyObject, Sendable {
  func set(_ value: Int64)
  func set(_ value: Double)
  func increment(by: Double)
  func decrement(by: Double)
}

public protocol RecorderHandler: AnyObject, Sendable {
  func record(_ value: Int64)
  func record(_ value: Double)
}

public protocol TimerHandler: AnyObject, Sendable {
  func recordNanoseconds(_ duration: Int64)
}

public protocol MetricsFactory: Sendable {
  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler
  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler
  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler
  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler
  func destroyCounter(_ handler: any CounterHandler)
  func destroyMeter(_ handler: any MeterHandler)
  func destroyRecorder(_ handler: any RecorderHandler)
  func destroyTimer(_ handler: any TimerHandler)
}

public final class Counter: Sendable {
  private let handler: any CounterHandler

  public init(label: String, dimensions: [(String, String)] = [], factory: any MetricsFactory) {
    handler = factory.makeCounter(label: label, dimensions: dimensions)
  }

  public func increment(by amount: some BinaryInteger) { handler.increment(by: Int64(amount)) }
  public func increment() { increment(by: 1) }
}

public final class Meter: Sendable {
  private let handler: any MeterHandler

  public init(label: String, dimensions: [(String, String)] = [], factory: any MetricsFactory) {
    handler = factory.makeMeter(label: label, dimensions: dimensions)
  }

  public func increment() { handler.increment(by: 1) }
  public func decrement() { handler.decrement(by: 1) }
}

public final class Recorder: Sendable {
  private let handler: any RecorderHandler

  public init(label: String, dimensions: [(String, String)] = [], aggregate: Bool = true, factory: any MetricsFactory) {
    handler = factory.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
  }

  public func record(_ value: some BinaryInteger) { handler.record(Int64(value)) }
}

public final class Timer: Sendable {
  private let handler: any TimerHandler

  public init(label: String, dimensions: [(String, String)] = [], factory: any MetricsFactory) {
    handler = factory.makeTimer(label: label, dimensions: dimensions)
  }

  public func recordNanoseconds(_ duration: Int64) { handler.recordNanoseconds(duration) }
}

public enum MetricsSystem {
  /// The stub has no backend of the process.
  public static var factory: any MetricsFactory { fatalError("the stub of swift-metrics has no factory") }
}
