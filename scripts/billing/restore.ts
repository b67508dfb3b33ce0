import { join } from 'node:path'
import { Command } from 'commander'
import { StartupError } from '#services/foundation/startup-error'
import { backupFileName, keyNames } from '#services/operations/backup/backup-format'
import { OtherKeys, restoreBackup } from '#services/operations/backup/restore-backup'
import { asOperator } from '#services/operations/operator-context'
import { howToBring, refuseWithoutKeys } from './keys-from-elsewhere.ts'
import { showProgress } from './progress.ts'

export function restoreCommand(): Command {
  return new Command('restore')
    .argument('<directory>', "what 'backup' wrote")
    .description('Put a backup into a fresh database (a new DATABASE_URL or DATA_DIR).')
    .addHelpText(
      'after',
      '\nIt restores all of the backup or nothing. It needs the MASTER_KEY, EMAIL_HMAC_KEY and AUDIT_KEY that the backup was taken with. Of a sandbox, copy its sandbox-secrets.json into the new DATA_DIR first.',
    )
    .action((directory: string) => restore(join(directory, backupFileName)))
}

async function restore(file: string): Promise<void> {
  refuseWithoutKeys(keyNames, 'A backup is restored with the keys that it was taken with.')
  await asOperator(async ({ config, pool, eventLog }) => {
    const progress = showProgress({ doing: 'Restoring', unit: 'rows', total: null })
    const { rows, takenAt } = await restoreBackup(file, {
      pool,
      eventLog,
      keys: config,
      onChecked: progress.expect,
      onRows: progress.advance,
    })
      .finally(progress.end)
      .catch((error: unknown) => {
        throw error instanceof OtherKeys
          ? new StartupError(`${error.message} ${howToBring(error.keys)}`)
          : error
      })
    process.stdout.write(
      `Restored ${rows} rows, as they were at ${takenAt}. The read models are built at the next start; 'events verify' checks the log.\n`,
    )
  })
}
