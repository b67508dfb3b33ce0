import { Command } from 'commander'
import type { DecodedEvent } from '#services/event-store/encryption/codec'
import type { StreamEvent } from '#services/event-store/event-store'
import { newerEvent } from '#services/event-store/newer-event'
import { StartupError } from '#services/foundation/startup-error'
import { asOperator } from '#services/operations/operator-context'

export function showCommand(): Command {
  return new Command('show')
    .argument('<stream>', "the stream's name, such as account-usr_0123")
    .description('Print a stream, decrypted and upcast; events of a newer release as stored.')
    .option('--json', 'print each complete event as one line of JSON')
    .action((stream: string, { json = false }: { json?: boolean }) =>
      asOperator(async ({ store, codec }) => {
        const stored = await store.readStream(stream)
        if (stored.length === 0)
          throw new StartupError(
            `There is no stream '${stream}'. 'events stats' prints the stream categories.`,
          )
        const decoded = await codec.decodeStream(stored.filter((each) => newerEvent(each) === null))
        const decodedAt = new Map(decoded.map((event) => [event.revision, event]))
        for (const raw of stored) {
          const event = decodedAt.get(raw.revision)
          const text = event === undefined ? rawText(raw) : eventText(event)
          process.stdout.write(json ? `${JSON.stringify(event ?? raw)}\n` : text)
        }
      }),
    )
}

/** An event of a newer release: its personal fields are encrypted. */
function rawText(event: StreamEvent): string {
  return `${String(event.revision).padStart(4)} ${event.type}  as stored. ${newerEvent(event)?.message}\n     ${JSON.stringify(event.data)}\n`
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
