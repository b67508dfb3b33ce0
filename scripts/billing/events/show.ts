import { Command } from 'commander'
import type { DecodedEvent } from '#services/event-store/encryption/codec'
import { StartupError } from '#services/foundation/startup-error'
import { asOperator } from '#services/operations/operator-context'

export function showCommand(): Command {
  return new Command('show')
    .argument('<stream>', 'its name, as account-usr_0123')
    .description('Print a stream, decrypted as its readers see it.')
    .option('--json', 'one event a line of JSON, whole')
    .action((stream: string, { json = false }: { json?: boolean }) =>
      asOperator(async ({ store, codec }) => {
        const stored = await store.readStream(stream)
        if (stored.length === 0)
          throw new StartupError(
            `There is no stream '${stream}'. 'events stats' says what kinds of streams there are.`,
          )
        for (const event of await codec.decodeStream(stored))
          process.stdout.write(json ? `${JSON.stringify(event)}\n` : readable(event))
      }),
    )
}

/** A heading with time and cause, then a field a line; what is nested stays JSON. */
function readable({
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
