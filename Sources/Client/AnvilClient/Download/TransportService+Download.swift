package import AnvilBase
public import AnvilHTTP

extension TransportService {
  /// Downloads the body of a response to `file`. The file is replaced when the download is complete; until then an existing file is kept.
  ///
  /// ``TypedGatewayRequest/download(to:options:)`` documents how a download continues and when it fails.
  ///
  /// - Returns: The last attempt's response, whose status may be 206, with the file as its body; or the failure. Errors of the file system
  ///   have the code `TransportError.Code.fileNotWritten`, and a range that was not requested has `malformedResponse`.
  package func download(
    _ request: HTTP.Request, to file: URL, options: DownloadOptions = DownloadOptions()
  ) async -> Result<TransportSuccess, TransportFailure> {
    var transfer = TransportOptions(responseDelivery: .streamed)
    transfer.settings = options.transferSettings
    var request = request
    request.headers = request.headers.merging(options.headers)
    let download = Download(request, to: file, options: options, clock: clock) {
      [transfer] attempt in
      try await execute(attempt, options: transfer).get().response
    }
    do {
      return .success(TransportSuccess(response: try await download.run()))
    } catch let failure as TransportFailure {
      return .failure(failure)
    } catch {
      let other = TransportError(code: .other, reason: "\(type(of: error))", underlyingError: error)
      return .failure(TransportFailure(error: other, request: request))
    }
  }
}

extension DownloadOptions {
  /// The settings of one attempt: the idle timeout limits the time until the head arrives, too. The progress is without the received bytes,
  /// because the download reports them for the whole file.
  var transferSettings: RequestSettings {
    var settings = settings
    let silence = settings.idleTimeout ?? Self.defaultIdleTimeout
    settings.timeout = silence
    settings.idleTimeout = silence
    settings.deadline = .unlimited
    if let progressHandler { settings.progressHandler = { if $0.direction == .sent { progressHandler($0) } } }
    return settings
  }
}

/// The options of a download: the settings of each transfer, and the number and delays of attempts.
///
///     var options = DownloadOptions()
///     options.progressHandler = { print($0.byteCount, "of", $0.totalByteCount ?? 0) }
///     try await gateway.request("images", "linux.iso").download(to: file, options: options)
public struct DownloadOptions: RequestConfigurable, Sendable {
  /// The maximum number of consecutive attempts without progress.
  public var fruitlessAttemptLimit = 6
  /// The statuses after which a download that has begun is continued; see ``RetryPolicy/statuses``. Before the first head of a response has
  /// arrived, only the ``RetryPolicy`` of the configuration decides about statuses, errors and methods.
  public var statuses: Set<HTTP.Status> = RetryPolicy.defaultStatuses
  /// The delay before each attempt to continue. The attempt number counts consecutive attempts without progress.
  public var backoff: any BackoffStrategy = ExponentialBackoff()
  /// The settings for each attempt's request. For a gateway's download they take precedence over the request's own settings. A timeout and a
  /// deadline have no effect, and the download as a whole has no time limit. ``RequestConfigurable/idleTimeout`` is the longest time until
  /// the head of each response arrives, and between two parts of its body. It is inherited like every setting, and is 60 seconds if none is
  /// set.
  ///
  /// ``RequestConfigurable/progressHandler`` is called with the progress of the whole file, including bytes of an earlier call. Its counts
  /// never decrease, except to 0 when the download starts again from the beginning. It is also called with the progress of each request's
  /// body. It and ``RequestConfigurable/eventHandler`` replace the request's handlers.
  public var settings = RequestSettings()

  /// Creates options with six attempts without progress, and settings in which nothing is set.
  public init() {}

  /// The longest time without data, unless the options, a request, gateway or configuration set one.
  static let defaultIdleTimeout = Duration.seconds(60)
}
