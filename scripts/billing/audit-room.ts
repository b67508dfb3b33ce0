import { randomUUID } from 'node:crypto'
import { Command } from 'commander'
import { createCommandHandler } from '#services/commands/handle-command'
import { macKeyOf, sealKeysOf } from '#services/event-store/audit/audit-keys'
import { proveLog } from '#services/event-store/audit/proven-log'
import { checkSeals } from '#services/event-store/audit/check-seals'
import { readSeals } from '#services/event-store/audit/seal-table'
import { createKeylessCodec } from '#services/event-store/encryption/codec'
import { readPublished } from '#services/event-store/publishing/publish-seals'
import type { Clock } from '#services/foundation/clock'
import { countOf, formatCount } from '#services/foundation/format-count'
import { StartupError, UsageError } from '#services/foundation/startup-error'
import { adminAccessStream } from '#services/foundation/stream-names'
import { startOperatorClock } from '#services/operations/operator-clock'
import type { OperatorContext } from '#services/operations/operator-context'
import {
  sealedPeriod,
  withAuditRoom,
  type AuditRoom,
} from '#services/reports/audit-room/audit-room'
import { refuseOtherKeys } from '#services/keys/assert-known-keys'
import { sealPlacesOf } from '#services/start/seal-places'
import { parseClosedMonth } from './close/parse-closed-month.ts'
import { onSourceLog } from './on-source-log.ts'
import { positiveInteger } from './positive-integer.ts'
import { showProgress } from './progress.ts'
import { withStopSignal } from './with-stop-signal.ts'
import { refuseExisting, standardOutput, writeFileAtomically } from './write-file.ts'
import { print } from './print.ts'

/** The exit code of an unknown or missing option. */
const wrongArgument = 2

interface Options {
  readonly from: string
  readonly to: string
  readonly sample: number
  readonly seed: string
  readonly out?: string
  readonly force: boolean
}

/** `billing audit-room`: one file with which an auditor checks the books without the product. */
export function auditRoomCommand(): Command {
  return new Command('audit-room')
    .description('Write the books of a period with the proofs that an auditor can check alone.')
    .requiredOption('--from <month>', 'the first month, such as 2026-01')
    .requiredOption('--to <month>', 'the last month; the newest seal must be of it or later')
    .option('--sample <count>', 'customers whose personal data is readable', positiveInteger, 25)
    .option(
      '--seed <text>',
      'a text that the auditor chose after the seal; it changes the sample',
      '',
    )
    .option(
      '--out <file>',
      'a new file, compressed if its name ends in .gz; default: audit-room-<from>-<to>.ndjson.gz',
    )
    .option('--force', 'replace the file of --out', false)
    .addHelpText(
      'after',
      [
        '',
        "Needs a seal: run 'billing events seal' first. The room ends with the newest seal.",
        'The sample follows from the seal and --seed. The file has the keys of the sampled customers: treat it as personal data. The log records who was in it.',
        'The auditor checks the file with scripts/verify-audit-room.mjs, which needs only Node, and the key of billing events public-key.',
        'docs/finance.md explains what this proves. A wrong argument, or a file that cannot be written, gives exit code 2.',
      ].join('\n'),
    )
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : wrongArgument))
    .action((options: Options) => auditRoom(options))
}

async function auditRoom({ sample, seed, force, ...given }: Options): Promise<void> {
  const [from, to] = [parseClosedMonth(given.from), parseClosedMonth(given.to)]
  const { out = `audit-room-${from}-${to}.ndjson.gz` } = given
  if (out === standardOutput)
    throw new UsageError('An audit room has personal data. Name a file with --out.')
  await refuseExisting(out, { force }).catch(asUsageError)

  await onSourceLog(async (context) => {
    const { config, pool, store, proof, keys } = context
    const timeZone = config.reportingTimeZone
    await refuseOtherKeys(pool, config)
    const published = await readPublished(pool, sealPlacesOf(config, process.env))
    const [failure] = published.failures
    if (failure !== undefined) throw new StartupError(failure)
    const sources = [{ name: 'the database', seals: await readSeals(pool) }, ...published.sources]
    const { seals, problems } = checkSeals(sources, sealKeysOf(config.auditKey))
    const [problem] = problems
    if (problem !== undefined)
      throw new StartupError(
        `Seal ${problem.sequence}: ${problem.text} Run 'billing events verify'.`,
      )
    sealedPeriod(seals, { from, to, timeZone })

    const clock = await startOperatorClock(context)
    let progress = showProgress({
      doing: 'Reading',
      unit: 'events',
      total: await store.countAfter(null),
    })
    const show = (doing: string) => {
      progress.end()
      progress = showProgress({ doing, unit: 'streams', total: null })
    }
    try {
      const result = await withStopSignal(
        (signal) =>
          withAuditRoom(
            {
              store: proveLog(store, proof, () => true),
              codec: createKeylessCodec(),
              keys,
              seals,
              signal,
              onEvents: (count) => progress.advance(count),
              onRead: () => show('Booking'),
              onStreams: (count) => progress.advance(count),
            },
            { from, to, sample, seed, timeZone, computedAt: clock.now().toISOString() },
            async (room) => {
              await record(context, clock, { from, to }, room)
              show('Writing')
              const write = writeFileAtomically(out, room.lines(), { force })
              const { bytes } = await write.catch(asUsageError)
              return inWords(room, out, bytes)
            },
          ),
        `Stopped: ${out} was not written.`,
      ).finally(() => progress.end())
      print(result)
    } finally {
      await clock.close()
    }
  })
}

/** The event precedes the file, so that an interrupted write is recorded, too. */
async function record(
  { config, store, codec }: OperatorContext,
  clock: Clock,
  period: { readonly from: string; readonly to: string },
  { seal, customers }: AuditRoom,
): Promise<void> {
  const commands = createCommandHandler({ store, codec, clock, macKey: macKeyOf(config.auditKey) })
  const occurredAt = clock.now().toISOString()
  const commandId = randomUUID()
  const data = { ...period, seal: seal.sequence, customers: [...customers] }
  await commands.record({
    stream: adminAccessStream(occurredAt),
    event: { type: 'AuditRoomWritten', data, occurredAt },
    context: {
      commandId,
      correlationId: commandId,
      actor: { kind: 'system', id: 'operator' },
      source: 'system',
    },
  })
}

function inWords(room: AuditRoom, out: string, bytes: number): string {
  const { seal, through, customers, eventsAfterSeal } = room
  const later =
    eventsAfterSeal === 0
      ? ''
      : ` The log has ${countOf(eventsAfterSeal, 'later event')}, ${eventsAfterSeal === 1 ? 'which is' : 'which are'} no part of the room.`
  return [
    `Wrote the audit room to ${out} (${formatCount(bytes)} bytes): the books to ${through} and ${countOf(customers.length, 'sampled customer')}.`,
    `It proves seal ${formatCount(seal.sequence)} of ${seal.sealedAt}, with ${countOf(seal.events, 'event')}.${later}`,
    'Next: give the auditor the file and scripts/verify-audit-room.mjs. The auditor needs the public key and the seals from another place.',
    '',
  ].join('\n')
}

/** A file that exists or cannot be written is a wrong argument. */
function asUsageError(error: unknown): never {
  throw error instanceof StartupError ? new UsageError(error.message) : error
}
