import { Command } from 'commander'
import { parkedStreams } from '#projections/engine/park/parked-streams'
import { masterKeysOf } from '#services/event-store/encryption/master-keys'
import { createSubjectLog } from '#services/event-store/encryption/subject-log'
import { countOf } from '#services/foundation/format-count'
import { streamOwner } from '#services/foundation/stream-names'
import { restoreKeys } from '#services/operations/keys/restore-keys'
import type { OperatorContext } from '#services/operations/operator-context'
import { refuseOtherKeys } from '#services/keys/assert-known-keys'
import { fileOfBackup } from '../file-of-backup.ts'
import { onSourceLog } from '../on-source-log.ts'
import { showProgress } from '../progress.ts'
import { withStopSignal } from '../with-stop-signal.ts'
import { print } from '../print.ts'

export function restoreKeysCommand(): Command {
  return new Command('restore')
    .argument(
      '<backup>',
      "a directory that 'backup' wrote, or a file of 'events export --with-keys'",
    )
    .description('Restore personal keys that are missing although nobody was erased.')
    .addHelpText(
      'after',
      [
        '',
        'Looks for the keys in the whole log, as events verify does. Writes a key only if it decrypts the events of its person and the log has no erasure: an erased person stays erased.',
        'Needs the MASTER_KEY that the backup was taken with, in MASTER_KEY or MASTER_KEY_PREVIOUS. The product may run. Exit code 1: a key is still missing.',
      ].join('\n'),
    )
    .action((backup: string) =>
      onSourceLog(async (context) => restore(await fileOfBackup(backup), context)),
    )
}

async function restore(file: string, context: OperatorContext): Promise<void> {
  const { config, pool, store, keys } = context
  await refuseOtherKeys(pool, config)
  const progress = showProgress({
    doing: 'Reading',
    unit: 'events',
    total: await store.countAfter(null),
  })
  const { restored, failed } = await withStopSignal(
    (signal) =>
      restoreKeys(file, {
        pool,
        store,
        keys,
        subjects: createSubjectLog(store),
        masterKeys: masterKeysOf(config.masterKey, config.previousMasterKey),
        onEvents: progress.advance,
        signal,
      }),
    'Stopped: run the command again to restore the keys that are left.',
  ).finally(progress.end)
  if (restored.length + failed.size === 0) {
    print('No personal key is missing. Nothing was changed.\n')
    return
  }
  const lines = [
    `Restored ${countOf(restored.length, 'personal key')}.`,
    ...[...failed].map(([subject, reason]) => `Not restored: ${subject}: ${reason}.`),
    ...(failed.size === 0
      ? []
      : [
          "Run the command with an older backup. If no backup has the key, nobody can read the person's data: 'billing erase <userId> --key-is-lost' records that.",
        ]),
    ...(await retriesOf(restored, context)),
  ]
  print(`${lines.join('\n')}\n`)
  if (failed.size > 0) process.exitCode = 1
}

/** The commands that fold the waiting events of these subjects. */
async function retriesOf(
  subjects: readonly string[],
  { pool }: OperatorContext,
): Promise<readonly string[]> {
  const owners = new Set(subjects.map((subject) => subject.slice(subject.indexOf('/') + 1)))
  const parked = (await parkedStreams(pool)).filter(({ event }) =>
    owners.has(streamOwner(event.stream)),
  )
  if (parked.length === 0) return []
  return [
    'Next, fold the events that waited for the keys:',
    ...parked.map(({ name, event }) => `  billing projections retry ${name} ${event.stream}`),
  ]
}
