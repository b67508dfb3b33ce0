import { Command } from 'commander'
import type { DecodedEvent, EventCodec } from '#services/event-store/encryption/codec'
import type { UnreadableEvent } from '#services/event-store/errors'
import type { StreamEvent } from '#services/event-store/event-store'
import { isDamaged, newerEvent } from '#services/event-store/newer-event'
import { formatCount } from '#services/foundation/format-count'
import { StartupError } from '#services/foundation/startup-error'
import { asOperator } from '#services/operations/operator-context'
import { print, printJson } from '../print.ts'

/** An event as stored, and why this release cannot decode it. */
interface Undecoded {
  readonly raw: StreamEvent
  readonly error: UnreadableEvent
}

export function showCommand(): Command {
  return new Command('show')
    .argument('<stream>', "the stream's name, such as account-usr_0123")
    .description(
      'Print a stream, decrypted and upcast; events of a newer release and damaged ones as stored.',
    )
    .option('--json', 'print each complete event as one line of JSON')
    .addHelpText('after', '\nExit code 1: an event is damaged.')
    .action((stream: string, { json = false }: { json?: boolean }) =>
      asOperator(async ({ store, codec }) => {
        const stored = await store.readStream(stream)
        if (stored.length === 0)
          throw new StartupError(
            `There is no stream '${stream}'. 'events stats' prints the stream categories.`,
          )
        const shown = await decodedOrRaw(codec, stored)
        for (const each of shown)
          if (json) printJson(valueOf(each))
          else print(textOf(each))
        const damaged = shown.filter((each) => 'raw' in each && isDamaged(each.error)).length
        if (damaged > 0)
          throw new StartupError(
            `${formatCount(damaged)} of ${formatCount(shown.length)} events of '${stream}' ${damaged === 1 ? 'is' : 'are'} damaged. Run 'billing events verify'.`,
          )
      }),
    )
}

/** Whole pages first: one query reads their keys. A damaged event refuses its page. */
async function decodedOrRaw(
  codec: Pick<EventCodec, 'decodeStream'>,
  stored: readonly StreamEvent[],
): Promise<readonly (DecodedEvent | Undecoded)[]> {
  const whole = stored.filter((event) => newerEvent(event) === null)
  const decoded = await codec.decodeStream(whole).catch((error: unknown) => {
    if (!isDamaged(error)) throw error
    return null
  })
  const decodedAt = new Map(decoded?.map((event) => [event.revision, event]))
  const shown: (DecodedEvent | Undecoded)[] = []
  for (const raw of stored) {
    const newer = newerEvent(raw)
    shown.push(
      newer === null
        ? (decodedAt.get(raw.revision) ?? (await decodedAlone(codec, raw)))
        : { raw, error: newer },
    )
  }
  return shown
}

async function decodedAlone(
  codec: Pick<EventCodec, 'decodeStream'>,
  raw: StreamEvent,
): Promise<DecodedEvent | Undecoded> {
  try {
    const [event] = await codec.decodeStream([raw])
    if (event === undefined) throw new Error(`The codec returned no event for ${raw.id}.`)
    return event
  } catch (error) {
    if (!isDamaged(error)) throw error
    return { raw, error }
  }
}

function valueOf(shown: DecodedEvent | Undecoded): object {
  return 'raw' in shown ? { ...shown.raw, unreadable: shown.error.message } : shown
}

function textOf(shown: DecodedEvent | Undecoded): string {
  return 'raw' in shown ? rawText(shown) : eventText(shown)
}

/** The personal fields are encrypted. */
function rawText({ raw: { revision, type, data }, error }: Undecoded): string {
  return `${String(revision).padStart(4)} ${type}  as stored. ${error.message}\n     ${JSON.stringify(data)}\n`
}

/** A heading with time and cause, then one line per field. Nested values stay JSON. */
function eventText({
  revision,
  type,
  data,
  metadata: { occurredAt, recordedAt, actor, source },
}: DecodedEvent): string {
  const late = recordedAt.slice(0, 16) === occurredAt.slice(0, 16) ? '' : `, recorded ${recordedAt}`
  const fields = Object.entries(data).map(
    ([name, value]) =>
      `     ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}\n`,
  )
  return `${String(revision).padStart(4)} ${type}  ${occurredAt}${late}  by ${actor.kind} ${actor.id} (${source})\n${fields.join('')}`
}
