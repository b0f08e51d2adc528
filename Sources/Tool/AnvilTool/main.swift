internal import AnvilCommands
internal import Foundation

exit(await AnvilCommand.run(arguments: Array(CommandLine.arguments.dropFirst())))
