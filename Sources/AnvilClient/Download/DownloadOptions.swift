public import AnvilHTTP

/// The options of a download: the settings of each transfer, and the number and delays of attempts.
///
///     var options = DownloadOptions()
///     options.progressHandler = { print($0.byteCount, "of", $0.totalByteCount ?? 0) }
///     try await gateway.request("images", "linux.iso").download(to: file, options: options)
public struct DownloadOptions: RequestConfigurable, Sendable {
  /// The maximum number of consecutive attempts without progress.
  public var maxFruitlessAttempts = 6
  /// The statuses after which the download is continued; see ``RetryPolicy/statuses``.
  public var statuses: Set<HTTP.Status> = RetryPolicy.defaultStatuses
  /// The delay before each further attempt. The attempt number counts consecutive attempts without progress.
  public var backoff: any BackoffStrategy = ExponentialBackoff()
  /// The settings for each attempt's request. For a gateway's download they take precedence over the request's own settings. A timeout and a
  /// deadline have no effect: ``RequestConfigurable/idleTimeout`` is the longest time for which no byte of the head or the body may arrive
  /// before the connection is replaced, and the download as a whole has no time limit.
  ///
  /// ``RequestConfigurable/progressHandler`` is called with the progress of the whole file, including bytes of an earlier call. Its counts
  /// never decrease, except to 0 when the download starts again from the beginning. It is also called with the progress of each request's
  /// body. It and ``RequestConfigurable/eventHandler`` replace the request's handlers.
  public var settings = RequestSettings()

  /// Creates options with six attempts without progress, an idle timeout of a minute, and no handlers.
  public init() {
    idleTimeout = .seconds(60)
  }
}
