import { Command } from 'commander'
import { copyCommand } from './events/copy.ts'
import { exportCommand } from './events/export.ts'
import { importCommand } from './events/import.ts'
import { publicKeyCommand } from './events/public-key.ts'
import { publishCommand } from './events/publish.ts'
import { repairCommand } from './events/repair.ts'
import { sealCommand } from './events/seal.ts'
import { showCommand } from './events/show.ts'
import { statsCommand } from './events/stats.ts'
import { verifyCommand } from './events/verify.ts'
import { refuseWithExitCode2 } from './wrong-argument.ts'

/** `billing events …`: commands for the event log. */
export function eventsCommand(): Command {
  const command = new Command('events')
    .description(
      'Show, verify, seal, export, import, repair and copy the event log, and publish its seals.',
    )
    .addCommand(statsCommand())
    .addCommand(showCommand())
    .addCommand(verifyCommand())
    .addCommand(sealCommand())
    .addCommand(publishCommand())
    .addCommand(publicKeyCommand())
    .addCommand(exportCommand())
    .addCommand(importCommand())
    .addCommand(repairCommand())
    .addCommand(copyCommand())
  return refuseWithExitCode2(command)
}
