import { Command } from 'commander'
import type { DecodedEvent } from '#services/event-store/encryption/codec'
import { StartupError } from '#services/foundation/startup-error'
import { asOperator } from '#services/operations/operator-context'

export function showCommand(): Command {
  return new Command('show')
    .argument('<stream>', "the stream's name, such as account-usr_0123")
    .description('Print a stream, decrypted and upcast.')
    .option('--json', 'print each complete event as one line of JSON')
    .action((stream: string, { json = false }: { json?: boolean }) =>
      asOperator(async ({ store, codec }) => {
        const stored = await store.readStream(stream)
        if (stored.length === 0)
          throw new StartupError(
            `There is no stream '${stream}'. 'events stats' prints the stream categories.`,
          )
        for (const event of await codec.decodeStream(stored))
          process.stdout.write(json ? `${JSON.stringify(event)}\n` : eventText(event))
      }),
    )
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
