import { Command } from 'commander'
import { dropCommand } from './projections/drop.ts'
import { rebuildCommand } from './projections/rebuild.ts'
import { resetCommand } from './projections/reset.ts'
import { retryCommand } from './projections/retry.ts'
import { skipCommand } from './projections/skip.ts'
import { statusCommand } from './projections/status.ts'
import { verifyCommand } from './projections/verify.ts'

/** `billing projections …`: commands for the read models. */
export function projectionsCommand(): Command {
  return new Command('projections')
    .description('Manage read models: show status, verify against the log, rebuild.')
    .addCommand(statusCommand())
    .addCommand(rebuildCommand())
    .addCommand(verifyCommand())
    .addCommand(retryCommand())
    .addCommand(skipCommand())
    .addCommand(dropCommand())
    .addCommand(resetCommand())
}
