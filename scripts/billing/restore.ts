import { join } from 'node:path'
import { Command } from 'commander'
import { backupFileName } from '#services/backup/backup-format'
import { restoreBackup } from '#services/backup/restore-backup'
import { asOperator } from '#services/operator-context'
import { showProgress } from './progress.ts'

export function restoreCommand(): Command {
  return new Command('restore')
    .argument('<directory>', "what 'backup' wrote")
    .description('Puts a backup into a fresh database (a new DATABASE_URL or DATA_DIR): all of it, or nothing. Needs the MASTER_KEY, EMAIL_HMAC_KEY and AUDIT_KEY of then.')
    .action((directory: string) =>
      asOperator(async ({ config, pool, eventLog }) => {
        const progress = showProgress({ doing: 'Restoring', unit: 'rows', total: null })
        const { rows, takenAt } = await restoreBackup(join(directory, backupFileName), { pool, eventLog, keys: config, onChecked: progress.expect, onRows: progress.advance }).finally(progress.end)
        process.stdout.write(`Restored ${rows} rows, as they were at ${takenAt}. The read models are built at the next start; 'events verify' checks the log.\n`)
      }))
}
