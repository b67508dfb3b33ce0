import { join } from 'node:path'
import { Command } from 'commander'
import { countOf, formatCount } from '#services/foundation/format-count'
import { StartupError } from '#services/foundation/startup-error'
import { backupFileName } from '#services/operations/backup/backup-format'
import { checkBackup, UnprovenBackup } from '#services/operations/backup/check-backup'
import { keyNames, type ProductKeys } from '#services/keys/key-fingerprints'
import { OtherKeys, restoreBackup } from '#services/operations/backup/restore-backup'
import { asOperator } from '#services/operations/operator-context'
import { showProgress } from './progress.ts'
import { printReleaseOfLog } from './release-of-log.ts'
import { explainOtherKeys, refuseWithoutKeys } from './required-keys.ts'
import { print } from './print.ts'

export function restoreCommand(): Command {
  return new Command('restore')
    .argument('<directory>', "a directory that 'backup' wrote")
    .description('Restore a backup into a fresh database (a new DATABASE_URL or DATA_DIR).')
    .addHelpText(
      'after',
      [
        '',
        'On PostgreSQL a restore is complete or changes nothing. On EventStoreDB, run the same command again to complete a restore that stopped; until then the product does not start.',
        "Needs the MASTER_KEY, EMAIL_HMAC_KEY and AUDIT_KEY that the backup was taken with. If they are a sandbox's, first copy its sandbox-secrets.json into the new DATA_DIR.",
      ].join('\n'),
    )
    .option(
      '--unproven',
      'restore events without the MAC of this AUDIT_KEY and keys that cannot be unwrapped, too: of a backup that is damaged, or of a log that was imported',
      false,
    )
    .action((directory: string, { unproven }: { readonly unproven: boolean }) =>
      restore(join(directory, backupFileName), unproven),
    )
}

async function restore(file: string, unproven: boolean): Promise<void> {
  refuseWithoutKeys(keyNames, 'A restore needs the keys that the backup was taken with.')
  await asOperator(async ({ config, pool, eventLog, store }) => {
    if (!unproven) await prove(file, config).catch(explainOtherKeys)
    const progress = showProgress({ doing: 'Restoring', unit: 'rows', total: null })
    const { rows, takenAt, heldBack, heldClients, heldThanks } = await restoreBackup(file, {
      pool,
      eventLog,
      keys: config,
      onChecked: progress.expect,
      onRows: progress.advance,
    })
      .finally(progress.end)
      .catch(explainOtherKeys)
    print(
      `Restored ${countOf(rows, 'row')} of the backup that was taken at ${takenAt}. The next start builds the read models; 'events verify --manifest <file>' checks the log, also against the published seals.\n`,
    )
    if (heldClients > 0)
      print(
        `The messages to ${formatCount(heldClients)} ${heldClients === 1 ? 'client' : 'clients'} of merchants wait, because some may have been sent since the backup. 'billing receivables release' lets them go out.\n`,
      )
    if (heldThanks > 0)
      print(
        `${formatCount(heldThanks)} thanks of merchants for payments waited when the backup was taken and may have been sent since. 'billing receivables release' lets them go out.\n`,
      )
    if (heldBack > 0)
      print(
        `${formatCount(heldBack)} ${heldBack === 1 ? 'mail or text' : 'mails and texts'} waited when the backup was taken and may have been sent since. 'billing notifications list' shows them; 'billing notifications retry --all' sends them.\n`,
      )
    await printReleaseOfLog(store)
  })
}

/** A forged file can have the right checksum: only the MACs show that its events are genuine. */
async function prove(file: string, keys: ProductKeys): Promise<void> {
  try {
    await checkBackup(file, keys)
  } catch (error) {
    if (error instanceof OtherKeys || !(error instanceof StartupError)) throw error
    const next =
      error instanceof UnprovenBackup
        ? " Use another backup, or restore this one with --unproven, and then run 'billing events verify --manifest <file>'."
        : ''
    throw new StartupError(`${error.message} Nothing was restored.${next}`, { cause: error })
  }
}
