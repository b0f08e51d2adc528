// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What is used of Dispatch, to be type-checked where the SDK does not exist. Source: developer.apple.com/documentation/dispatch.

open class DispatchObject: @unchecked Sendable {
  public func activate() {}
  public func resume() {}
}

public final class DispatchQueue: DispatchObject, @unchecked Sendable {
  public struct Attributes: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public static let concurrent = Attributes(rawValue: 2)
  }

  public class var main: DispatchQueue { fatalError() }
  public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { fatalError() }
  public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {}
  public class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { nil }

  public convenience init(
    label: String, qos: DispatchQoS = .unspecified, attributes: DispatchQueue.Attributes = [],
    target: DispatchQueue? = nil
  ) { fatalError() }

  public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) {}
  public func sync<T>(execute work: () throws -> T) rethrows -> T { try work() }
  @preconcurrency
  public func async(
    group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified,
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) {}
  @preconcurrency
  public func asyncAfter(
    deadline: DispatchTime, qos: DispatchQoS = .unspecified,
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) {}
}

public struct DispatchQoS: Equatable, Sendable {
  public enum QoSClass: Sendable {
    case background, utility, `default`, userInitiated, userInteractive, unspecified
  }

  public static let unspecified = DispatchQoS()
}

public final class DispatchSpecificKey<T>: Sendable {
  public init() {}
}

public final class DispatchGroup: DispatchObject, @unchecked Sendable {}

public final class DispatchSemaphore: DispatchObject, @unchecked Sendable {
  public convenience init(value: Int) { fatalError() }
  @discardableResult public func signal() -> Int { 0 }
  public func wait() {}
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
}

public enum DispatchTimeoutResult: Sendable {
  case success, timedOut
}

public enum DispatchTimeInterval: Equatable, Sendable {
  case seconds(Int), milliseconds(Int), microseconds(Int), nanoseconds(Int), never
}

public struct DispatchTime: Comparable, Sendable {
  public static let distantFuture = DispatchTime.now()
  public static func now() -> DispatchTime { fatalError() }
  public static func < (a: DispatchTime, b: DispatchTime) -> Bool { false }
  public var uptimeNanoseconds: UInt64 { 0 }
}

public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
public func + (time: DispatchTime, seconds: Double) -> DispatchTime { time }

public protocol DispatchSourceProtocol: AnyObject {
  func setEventHandler(handler: (@Sendable @convention(block) () -> Void)?)
  func cancel()
  func resume()
  func activate()
}

public protocol DispatchSourceSignal: DispatchSourceProtocol {}

extension DispatchSourceSignal {
  public var data: UInt { 0 }
}

public enum DispatchSource {
  public static func makeSignalSource(signal: Int32, queue: DispatchQueue? = nil) -> any DispatchSourceSignal {
    fatalError()
  }
}
