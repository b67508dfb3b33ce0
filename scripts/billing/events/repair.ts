import { Command } from 'commander'
import { parkedStreams } from '#projections/engine/park/parked-streams'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import {
  damagedEvents,
  findRepairs,
  maxDamaged,
  type FoundRepairs,
} from '#services/event-store/audit/find-repairs'
import { sealedHashOf } from '#services/event-store/audit/seal-table'
import type { EventStore, StoredEvent } from '#services/event-store/event-store'
import { exportedLog } from '#services/event-store/transfer/exported-log'
import { repairedFile } from '#services/event-store/transfer/repair-file'
import { countOf, formatCount } from '#services/foundation/format-count'
import { StartupError, UsageError } from '#services/foundation/startup-error'
import type { OperatorContext } from '#services/operations/operator-context'
import { fileOfBackup, refuseOtherFile } from '../file-of-backup.ts'
import { onSourceLog } from '../on-source-log.ts'
import { showProgress } from '../progress.ts'
import { refuseExisting, writeFileAtomically } from '../write-file.ts'
import { print } from '../print.ts'

interface Options {
  readonly in?: string
  readonly out?: string
}

export function repairCommand(): Command {
  return new Command('repair')
    .argument(
      '<backup>',
      "a directory that 'backup' wrote, or a file of 'events export', from before the damage",
    )
    .description('Replace damaged events by their originals in a backup.')
    .option('--in <file>', 'repair this export or backup instead of the log; needs --out')
    .option('--out <file>', 'the file to write with --in')
    .addHelpText(
      'after',
      [
        '',
        'An event is damaged if it has no MAC of AUDIT_KEY. Its original is at the same revision of the same stream in the backup, has a genuine MAC, fits to the events around it, and has the hash that a seal names. So nothing else can be put into the log.',
        'EventStoreDB never changes an event: repair a backup of it with --in and --out, and restore it into a new EventStoreDB and a new database.',
        'Exit code 1: an event is still damaged.',
      ].join('\n'),
    )
    .action((backup: string, { in: input, out }: Options) => {
      if ((input === undefined) !== (out === undefined))
        throw new UsageError('--in and --out go together. Nothing was changed.')
      return onSourceLog(async (context) => {
        const file = await fileOfBackup(backup)
        // Also if nothing is damaged: the operator learns now that this backup cannot repair.
        await refuseOtherFile(file)
        await (input === undefined || out === undefined
          ? repairLog(file, context)
          : repairInFile(file, await fileOfBackup(input), out, context))
      })
    })
}

async function repairLog(backup: string, context: OperatorContext): Promise<void> {
  const { eventLog, store, pool } = context
  const { replace } = eventLog
  if (replace === null)
    throw new StartupError(
      "EventStoreDB never changes an event, so the log cannot be repaired in place. Take a backup of it ('billing backup <directory>'), repair the file ('billing events repair <backup> --in <directory> --out <new directory>/billing-backup.ndjson.gz'), and restore it into a new EventStoreDB and a new database ('billing restore <new directory>'). Nothing was changed.",
    )
  const found = await search(store, backup, context)
  if (found === null) return
  await replace(
    found.repairs.map(({ damaged, original }) => ({ ...original, position: damaged.position })),
  )
  report(found, `Repaired ${countOf(found.repairs.length, 'event')} of the log.`)
  const streams = new Set(found.repairs.map(({ damaged }) => damaged.stream))
  const parked = (await parkedStreams(pool)).filter(({ event }) => streams.has(event.stream))
  print(
    [
      ...(parked.length === 0 ? [] : ['Next, fold the events that waited:']),
      ...parked.map(({ name, event }) => `  billing projections retry ${name} ${event.stream}`),
      "Then run 'billing events verify' and 'billing projections verify': a read model may have folded the damaged event.\n",
    ].join('\n'),
  )
}

async function repairInFile(
  backup: string,
  input: string,
  out: string,
  context: OperatorContext,
): Promise<void> {
  await refuseExisting(out)
  const found = await search(exportedLog(input), backup, context)
  if (found === null) return
  await writeFileAtomically(out, repairedFile(input, found.repairs))
  report(found, `${out} is written, with ${countOf(found.repairs.length, 'repaired event')}.`)
}

/** Null: nothing is damaged. */
async function search(
  log: Pick<EventStore, 'readAll' | 'readStream'>,
  backup: string,
  { config, pool }: Pick<OperatorContext, 'config' | 'pool'>,
): Promise<FoundRepairs | null> {
  const macKey = macKeyOf(config.auditKey)
  const progress = showProgress({ doing: 'Reading', unit: 'events', total: null })
  const damaged = await damagedEvents(log, macKey, progress.advance).finally(progress.end)
  if (damaged === null)
    throw new StartupError(
      `More than ${formatCount(maxDamaged)} events have no MAC of this AUDIT_KEY. Set the AUDIT_KEY of this log ('billing keys status' shows its fingerprint), or restore a backup. Nothing was changed.`,
    )
  if (damaged.length === 0) {
    print(
      "Every event has a genuine MAC. Nothing was changed. Events that were removed cannot be repaired: restore a backup if 'billing events verify' names some.\n",
    )
    return null
  }
  return findRepairs({ log, backup: exportedLog(backup) }, damaged, macKey, (event) =>
    sealedHashOf(pool, event),
  )
}

function report({ left }: FoundRepairs, done: string): void {
  const lines = [
    done,
    ...left.map(({ damaged, reason }) => `Not repaired: ${nameOf(damaged)}: ${reason}.`),
    ...(left.length === 0 ? [] : ['Run the command with another backup, from before the damage.']),
  ]
  print(`${lines.join('\n')}\n`)
  if (left.length > 0) process.exitCode = 1
}

function nameOf({ id, type, stream, revision }: StoredEvent): string {
  return `event ${id} (${type}, revision ${revision} of '${stream}')`
}
