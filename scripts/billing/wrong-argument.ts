import type { Command } from 'commander'

/** The exit code of the shell for wrong arguments, as of a `UsageError`. Commander's is 1. */
const wrongArgument = 2

/**
 * Gives a command and its subcommands exit code 2 for an unknown option, a missing argument or a
 * wrong choice. Call it after the last subcommand was added.
 */
export function refuseWithExitCode2(command: Command): Command {
  for (const each of [command, ...command.commands])
    each.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : wrongArgument))
  return command
}
