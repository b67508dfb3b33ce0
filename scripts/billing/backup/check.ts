import { join } from 'node:path'
import { Command } from 'commander'
import { countOf } from '#services/foundation/format-count'
import { backupFileName } from '#services/operations/backup/backup-format'
import { checkBackup } from '#services/operations/backup/check-backup'
import { keyNames, type ProductKeys } from '#services/keys/key-fingerprints'
import { readConfig } from '#services/settings/read-config'
import { withSettingsFromFiles } from '#services/settings/settings-from-files'
import { showProgress } from '../progress.ts'
import { explainOtherKeys, refuseWithoutKeys } from '../required-keys.ts'
import { print } from '../print.ts'

export function checkCommand(): Command {
  return new Command('check')
    .argument('<directory>', "a directory that 'backup' wrote")
    .description('Check a backup without a restore and without a database.')
    .addHelpText(
      'after',
      '\nThe file is complete and unchanged, the keys are those of the backup, every event has the MAC of AUDIT_KEY and continues its stream, the log has the state of the seals, and every event has the personal key that decrypts it or the erasure of its person. Published seals and closed months are verified after a restore.',
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
    seals,
    keys: readable,
    erased,
  } = await checkBackup(file, keys, progress.advance).finally(progress.end).catch(explainOtherKeys)
  print(
    `${file} is complete: the backup of ${takenAt} has ${countOf(events, 'event')} with genuine MACs and whole chains, the state of ${countOf(seals, 'seal')}, ${countOf(readable, 'personal key')} that can be unwrapped, ${countOf(erased, 'erased key')} and ${countOf(rows, 'row')}.\n`,
  )
}
