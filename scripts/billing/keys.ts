import { Command } from 'commander'
import { restoreKeysCommand } from './keys/restore.ts'
import { rotateCommand } from './keys/rotate.ts'
import { statusCommand } from './keys/status.ts'
import { refuseWithExitCode2 } from './wrong-argument.ts'

/** `billing keys …`: the keys that the stored data depends on. */
export function keysCommand(): Command {
  return refuseWithExitCode2(
    new Command('keys')
      .description(
        'Show which keys are in use, change MASTER_KEY, EMAIL_HMAC_KEY or PORTAL_KEY, and restore personal keys.',
      )
      .addCommand(statusCommand())
      .addCommand(rotateCommand())
      .addCommand(restoreKeysCommand()),
  )
}
