// Runs the whole client against a server that misbehaves at random, for the given time. Started by scripts/soak.

import Foundation

guard let options = SoakOptions(CommandLine.arguments.dropFirst()) else {
  FileHandle.standardError.write(Data("usage: AnvilSoak [--minutes N] [--seed S] [--pace N]\n".utf8))
  exit(2)
}
do {
  exit(try await Soak(options).run() ? 0 : 1)
} catch {
  report("soak: cannot run: \(error)")
  exit(2)
}
