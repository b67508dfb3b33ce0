import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { systemClock } from '#services/foundation/clock'
import { StartupError } from '#services/foundation/startup-error'
import { backupFileName, keyNames } from '#services/operations/backup/backup-format'
import { countRows, takeBackup } from '#services/operations/backup/take-backup'
import { asOperator } from '#services/operations/operator-context'
import { sandboxSecretsFile, unsetKeys } from './keys-from-elsewhere.ts'
import { showProgress } from './progress.ts'
import { writeFileAtomically } from './write-file.ts'

export function backupCommand(): Command {
  return new Command('backup')
    .argument('<directory>', 'a new one, or one without a backup')
    .description('Write a backup of everything that is no read model, while the product runs.')
    .addHelpText(
      'after',
      '\nThe backup is the state of one moment: the log, the personal keys, seals, sessions. MASTER_KEY, EMAIL_HMAC_KEY and AUDIT_KEY are not in it.',
    )
    .action((directory: string) =>
      asOperator(async ({ config, pool, eventLog }) => {
        const file = join(directory, backupFileName)
        if (existsSync(file))
          throw new StartupError(
            `${directory} has a backup already, and none is ever overwritten: name another directory.`,
          )
        await mkdir(directory, { recursive: true, mode: 0o700 }).catch(
          (error: NodeJS.ErrnoException) => {
            throw new StartupError(`${directory} cannot be made (${error.code}). Name another one.`)
          },
        )
        const progress = showProgress({
          doing: 'Backing up',
          unit: 'rows',
          total: await countRows({ pool, eventLog }),
        })
        await writeFileAtomically(
          file,
          takeBackup({
            pool,
            eventLog,
            takenAt: systemClock.now().toISOString(),
            keys: config,
            onRows: progress.advance,
          }),
        ).finally(progress.end)
        process.stdout.write(`${file} is written.\n${whereTheKeysAre()}\n`)
      }),
    )
}

/** The backup is worth nothing without them, and must not lie beside them. */
function whereTheKeysAre(): string {
  const madeUp = unsetKeys(keyNames)
  const where =
    madeUp.length === 0
      ? 'They are in the settings of this command.'
      : `${madeUp.join(', ')} were made up for the sandbox and are in ${sandboxSecretsFile()}: keep a copy of that file, too.`
  return `It cannot be restored without ${keyNames.join(', ')}, which are not in it; keep them apart from it. ${where}`
}
