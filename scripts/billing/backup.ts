import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { noteDone, recordingFailure } from '#services/event-store/audit/integrity-work'
import { refuseUnfinished } from '#services/event-store/transfer/unfinished-restore'
import { systemClock } from '#services/foundation/clock'
import { errorCodeOrText } from '#services/foundation/error-code'
import { makeDirectory } from '#services/foundation/make-directory'
import { StartupError } from '#services/foundation/startup-error'
import { backupFileName } from '#services/operations/backup/backup-format'
import { keyNames } from '#services/keys/key-fingerprints'
import { countRows, takeBackup } from '#services/operations/backup/take-backup'
import { asOperator, type OperatorContext } from '#services/operations/operator-context'
import { checkCommand } from './backup/check.ts'
import { showProgress } from './progress.ts'
import { sandboxSecretsFile, unsetKeys } from './required-keys.ts'
import { warn } from './warn.ts'
import { writeFileAtomically } from './write-file.ts'
import { print } from './print.ts'

export function backupCommand(): Command {
  return new Command('backup')
    .argument('<directory>', 'a new directory, or one without a backup')
    .description('Back up all data except the read models, while the product runs.')
    .addHelpText(
      'after',
      '\nThe backup is the state of one moment: the log, personal keys, seals and all other data that is no read model, without sessions and sign-in codes. It does not contain MASTER_KEY, EMAIL_HMAC_KEY and AUDIT_KEY.',
    )
    .action((directory: string) => asOperator((context) => backUp(directory, context)))
    .addCommand(checkCommand())
}

/** Writes a backup into `directory`, and records whether it succeeded. */
export async function backUp(directory: string, context: OperatorContext): Promise<void> {
  const { config, pool, eventLog } = context
  await refuseUnfinished(pool)
  const file = join(directory, backupFileName)
  if (existsSync(file))
    throw new StartupError(
      `${directory} already contains a backup. This command never overwrites a backup: name another directory.`,
    )
  await recordingFailure(pool, ['backup'], warn, write)
  await noteDone(pool, 'backup', warn)
  print(`${file} is written.\n${describeKeys()}\n`)

  async function write(): Promise<void> {
    try {
      makeDirectory(directory, 0o700)
    } catch (error) {
      throw new StartupError(
        `${directory} cannot be created (${errorCodeOrText(error)}). Name another directory.`,
      )
    }
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
  }
}

/**
 * The operator must keep the keys, because a restore needs them, and must keep them apart from the
 * backup.
 */
function describeKeys(): string {
  const generated = unsetKeys(keyNames)
  const place =
    generated.length === 0
      ? 'The keys are in the settings of this command.'
      : `The sandbox generated ${generated.join(', ')} and keeps ${generated.length === 1 ? 'it' : 'them'} in ${sandboxSecretsFile()}: keep a copy of that file, too.`
  return `The backup does not contain ${keyNames.join(', ')}, and cannot be restored without them. Keep the keys apart from the backup. ${place}`
}
