import { join } from 'node:path'
import { Command } from 'commander'
import { countOf } from '#services/foundation/format-count'
import { StartupError } from '#services/foundation/startup-error'
import { backupFileName } from '#services/operations/backup/backup-format'
import { checkBackup } from '#services/operations/backup/check-backup'
import { OtherKeys } from '#services/operations/backup/restore-backup'
import { keyNames, type ProductKeys } from '#services/start/key-fingerprints'
import { readConfig } from '#services/start/read-config'
import { withSettingsFromFiles } from '#services/start/settings-from-files'
import { showProgress } from '../progress.ts'
import { howToProvideKeys, refuseWithoutKeys } from '../required-keys.ts'

export function checkCommand(): Command {
  return new Command('check')
    .argument('<directory>', "a directory that 'backup' wrote")
    .description('Check a backup without a restore and without a database.')
    .addHelpText(
      'after',
      '\nThe file is complete and unchanged, the keys are those of the backup, every personal key can be unwrapped, and every event has the MAC of AUDIT_KEY. Chains and seals are verified after a restore.',
    )
    .action((directory: string) => {
      refuseWithoutKeys(keyNames, 'The check needs the keys that the backup was taken with.')
      const config = readConfig(withSettingsFromFiles(process.env))
      return printCheck(join(directory, backupFileName), config)
    })
}

/** @throws StartupError that names the first problem */
export async function printCheck(file: string, keys: ProductKeys): Promise<void> {
  const progress = showProgress({ doing: 'Checking', unit: 'lines', total: null })
  const {
    takenAt,
    rows,
    events,
    keys: readable,
    erased,
  } = await checkBackup(file, keys, progress.advance)
    .finally(progress.end)
    .catch((error: unknown) => {
      throw error instanceof OtherKeys
        ? new StartupError(`${error.message} ${howToProvideKeys(error.keys)}`)
        : error
    })
  process.stdout.write(
    `${file} is complete: the backup of ${takenAt} has ${countOf(events, 'event')} with genuine MACs, ${countOf(readable, 'personal key')} that can be unwrapped, ${countOf(erased, 'erased key')} and ${countOf(rows, 'row')}.\n`,
  )
}
