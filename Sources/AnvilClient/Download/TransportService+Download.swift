public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension TransportService {
  /// Sends `request` and brings the body of its response into `file`, which gets its name when it is whole, in place of what has
  /// that name; until then that stays.
  ///
  /// However long the body is, no more than some MiB of it are in memory. What has come stands beside the file, as
  /// `NAME.anvilpart`. An attempt that is cut short is gone on with from there, where the response had a strong `ETag`, or, with
  /// no `ETag`, a `Last-Modified` of a minute before its `Date`: the next one asks for the rest, by `Range` and `If-Range`. When
  /// the server has something else by then, and where there is no such validator, the download begins anew. It fails after
  /// ``DownloadOptions/maxFruitlessAttempts`` attempts in a row that brought it no further, and at once for what does not pass
  /// by waiting: a status such as 404, a range that was not asked for, a full disk.
  ///
  /// A download that fails, or is cancelled, leaves what had come, with a record of what it belongs to in
  /// `NAME.anvilpart.json`; the next call with the same method, URL and file goes on with it, in another process too. A record
  /// that is missing or does not fit means to begin anew. So does what is there of a response without a validator: it is removed.
  /// Two downloads to one file at once do not mix: the second fails, or waits for the first to end where that was cancelled.
  /// A symbolic link of that name is replaced, not followed.
  ///
  /// The request's `Range`, `If-Range` and `Accept-Encoding` are the download's own. A request that is not idempotent, or has a
  /// stream for a body, is sent once.
  ///
  /// - Returns: the last attempt's response, whose status may be 206, with the file as its body; or why there is none. What the
  ///   file system refuses is `TransportError.Code.fileNotWritten`, a range that was not asked for `malformedResponse`.
  ///
  /// Source: RFC 9110 §8.8, §13.1.5, §14.
  public func download(
    _ request: HTTP.Request, to file: URL, options: DownloadOptions = DownloadOptions()
  ) async -> Result<TransportSuccess, TransportFailure> {
    var transfer = TransportOptions(
      responseDelivery: .streamed, progressHandler: options.sendingHandler, eventHandler: options.eventHandler,
      policy: options.policy)
    transfer.policy.deadline = nil
    let download = Download(request, to: file, options: options) { [transfer] attempt in
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
  /// Hears of what is sent; what comes the download counts itself.
  var sendingHandler: TransferProgress.Handler? {
    guard let progressHandler else { return nil }
    return { if $0.direction == .sent { progressHandler($0) } }
  }
}
