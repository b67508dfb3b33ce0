import canonicalize from 'canonicalize'
import type { AdminAccessEvent } from '#contracts/events/admin-access'
import type { Clock } from '#services/foundation/clock'
import { adminAccessStream } from '#services/foundation/stream-names'
import type { CommandContext } from './command-context.ts'
import type { CommandHandler } from './handle-command.ts'
import type { Recorded } from './record-events.ts'

/** A record is at most this much older than the access, in milliseconds. */
const keptMs = 15 * 60_000

interface Attempt {
  readonly commandId: string
  readonly occurredAt: Date
}

/** What the access uses up, such as an approval. */
interface Used {
  /** Accesses that use different things are not repeats of each other. */
  readonly key: string
  /**
   * Called before the record, with the command id of the first try if this is its repeat. Returns
   * the refusal if nothing was used. Null: it is used.
   */
  use(context: CommandContext): Promise<Error | null>
}

export interface AccessRecords {
  /**
   * Records the event, and then calls `give`, which gives the administrator what was recorded. So
   * nothing is given without a record. If either fails, nothing was given: the next access of this
   * process with an equal event within 15 minutes is the repeat, and has the same record. The call
   * declares `ignoresIdempotencyKey`: a client that chooses the command id could hide an access.
   * @throws the refusal of `used`
   */
  recordThen<Given>(
    event: AdminAccessEvent,
    context: CommandContext,
    give: (recorded: Recorded) => Given | Promise<Given>,
    used?: Used,
  ): Promise<Given>
  /** Whether the next access with this event is the repeat of one that failed. */
  isRepeat(event: AdminAccessEvent, usedKey: string): boolean
}

/** Records of what administrators take. Each access is counted once, also after an outage. */
export function createAccessRecords({
  commands,
  clock,
}: {
  readonly commands: Pick<CommandHandler, 'record'>
  readonly clock: Clock
}): AccessRecords {
  /** By the event: the record of an access that failed. Its append may have succeeded. */
  const interrupted = new Map<string, Attempt>()

  /** Taken out, so that of two accesses at once only one has this record. */
  function takeInterrupted(key: string): Attempt | null {
    const attempt = interrupted.get(key)
    interrupted.delete(key)
    return attempt !== undefined && isKept(attempt) ? attempt : null
  }

  function keep(key: string, attempt: Attempt): void {
    for (const [other, each] of interrupted) if (!isKept(each)) interrupted.delete(other)
    interrupted.set(key, attempt)
  }

  const isKept = ({ occurredAt }: Attempt) =>
    Math.abs(clock.now().getTime() - occurredAt.getTime()) < keptMs

  return {
    isRepeat(event, usedKey) {
      const attempt = interrupted.get(keyOf(event, usedKey))
      return attempt !== undefined && isKept(attempt)
    },

    async recordThen(event, context, give, used) {
      const key = keyOf(event, used?.key ?? '')
      const repeated = takeInterrupted(key)
      const attempt = repeated ?? { commandId: context.commandId, occurredAt: clock.now() }
      let refusal: Error | null
      try {
        refusal = (await used?.use({ ...context, commandId: attempt.commandId })) ?? null
        if (refusal === null) {
          const occurredAt = attempt.occurredAt.toISOString()
          const recorded = await commands.record({
            stream: adminAccessStream(occurredAt),
            event: { ...event, occurredAt },
            context: { ...context, commandId: attempt.commandId },
            mayRepeat: repeated !== null,
          })
          return await give(recorded)
        }
      } catch (error) {
        keep(key, attempt)
        throw error
      }
      // Nothing was used, so the next access is no repeat of this one.
      throw refusal
    },
  }
}

function keyOf(event: AdminAccessEvent, usedKey: string): string {
  return `${usedKey} ${canonicalize(event) ?? ''}`
}
