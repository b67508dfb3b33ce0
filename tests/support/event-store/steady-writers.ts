import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountDecider, type AccountCommand } from '#services/accounts/account-decider'
import { parseUserId, type UserId } from '#contracts/ids'
import type { CommandHandler } from '#services/commands/handle-command'
import { EventStoreUnavailable } from '#services/event-store/errors'
import { accountStream } from '#services/foundation/stream-names'
import { profile } from '../data/events.ts'

/** An event whose append was acknowledged to a writer. */
export interface Acknowledged {
  readonly id: string
  readonly stream: string
  readonly revision: number
  /** The time of the acknowledgment, in milliseconds since 1970. */
  readonly at: number
}

export interface SteadyWriters {
  readonly acknowledged: readonly Acknowledged[]
  /**
   * The number of commands that failed because the store was unavailable, and were sent again with
   * the same id.
   */
  readonly refused: () => number
  /** Ids of commands that returned other events when they were sent a second time. */
  readonly changedByRepeat: readonly string[]
  /** Resolves when every command is answered. Rejects with the first unexpected failure. */
  stop(): Promise<void>
}

/**
 * Writers of customer accounts. Each writer has separate accounts, and all writers compete for some
 * shared accounts.
 */
export function startWriters(commands: CommandHandler, count: number): SteadyWriters {
  const acknowledged: Acknowledged[] = []
  const changedByRepeat: string[] = []
  let refused = 0
  let isStopping = false

  async function send(userId: UserId, command: AccountCommand): Promise<void> {
    const stream = accountStream(userId)
    const commandId = randomUUID()
    const context = {
      commandId,
      correlationId: commandId,
      actor: { kind: 'customer', id: userId },
      source: 'api',
    } as const
    const once = async (): Promise<readonly string[]> => {
      for (;;) {
        try {
          const { events } = await commands.handle({
            decider: accountDecider,
            stream,
            command,
            context,
          })
          for (const { id, revision } of events)
            acknowledged.push({ id, stream, revision, at: Date.now() })
          return events.map(({ id }) => id)
        } catch (error) {
          if (!(error instanceof EventStoreUnavailable)) throw error
          refused += 1
          await sleep(50)
        }
      }
    }
    const first = await once()
    if (Math.random() < 0.1 && String(await once()) !== String(first))
      changedByRepeat.push(commandId)
  }

  async function write(writer: number): Promise<void> {
    for (let turn = 0; !isStopping; turn += 1) {
      const isShared = turn % 5 === 4
      const userId = parseUserId(
        isShared
          ? `usr_shared_${Math.floor(turn / 100)}`
          : `usr_${writer}_${Math.floor(turn / 20)}`,
      )
      const email = `${userId}@birchwood.example`
      const at = new Date().toISOString()
      await send(userId, { type: 'open-account', userId, email, at })
      // Another name in each turn, so that each command becomes an event.
      const changed = { ...profile, companyName: `Birchwood ${writer} ${turn}` }
      await send(userId, {
        type: 'complete-profile',
        profile: changed,
        termsVersion: '1',
        isOwner: true,
        basedOn: null,
        at,
      })
    }
  }

  const writing = Promise.all(Array.from({ length: count }, (_, writer) => write(writer)))
  // `stop` awaits the same promise and reports the failure.
  writing.catch(() => {
    isStopping = true
  })
  return {
    acknowledged,
    changedByRepeat,
    refused: () => refused,
    async stop() {
      isStopping = true
      await writing
    },
  }
}
