// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What is used of the overlay of the Objective-C runtime, to be type-checked where the SDK does not exist.

public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
