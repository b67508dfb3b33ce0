import type pg from 'pg'
import type { Logger } from 'pino'
import type { UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import { createBackoff } from '#services/foundation/backoff'
import { inParallel } from '#services/foundation/in-parallel'
import { createOutageLog } from '#services/foundation/outage-log'
import { repeat } from '#services/foundation/repeat'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import { delayAfter } from '#services/reactors/perform-next'
import {
  claimDue,
  dueMerchants,
  forgetClient,
  keepUntil,
  leaveOut,
  retryLater,
} from './client-appointments.ts'
import { lookAfterClient, type LookParts } from './look-after-client.ts'
import type { MerchantFacts } from './merchant-facts.ts'

export interface SendingParts extends LookParts {
  readonly pool: pg.Pool
  readonly log: Logger
  /** Between two looks for due appointments, in milliseconds. Default 1,000. */
  readonly everyMs?: number
}

/**
 * Messages that a process sends at the same time: as many as the mailer has connections. Each holds
 * a database connection.
 */
const lanes = 3
/** Clients of one merchant in a row, before it is another merchant's turn. */
const clientsInARow = 5

/**
 * Keeps the appointments that are due by the business clock, of one merchant after the other. Any
 * number of processes may do so: a row lock gives a client to one of them. The returned function
 * finishes the messages in progress and stops.
 */
export function startSending(parts: SendingParts): () => Promise<void> {
  const { log, everyMs = 1_000 } = parts
  const stop = new AbortController()
  const { signal } = stop
  const sending = repeat(
    async () => {
      while (!signal.aborted && (await sendRound(parts, signal))) continue
    },
    {
      everyMs,
      backoff: createBackoff({ firstMs: 100, longestMs: 5_000 }),
      outage: createOutageLog(log, {
        began: 'The messages to clients that are due cannot be read; retrying with backoff.',
        lasts: 'The messages to clients that are due still cannot be read.',
        over: 'The messages to clients that are due can be read again.',
      }),
      signal,
    },
  )
  return async () => {
    stop.abort()
    await sending
  }
}

/** Gives each merchant that has something due a turn. False if nothing was due. */
export async function sendRound(parts: SendingParts, signal?: AbortSignal): Promise<boolean> {
  const merchants = await dueMerchants(parts.pool, parts.clock.now())
  // A single merchant uses all lanes.
  const turns =
    merchants.length === 0
      ? []
      : Array.from(
          { length: Math.max(merchants.length, lanes) },
          (_, index) => merchants[index % merchants.length],
        )
  let kept = 0
  await inParallel(lanes, turns, async (merchantId) => {
    if (merchantId === undefined || signal?.aborted === true) return
    kept += await takeTurn(merchantId, parts, signal)
  })
  return kept > 0
}

/** Returns how many clients were looked after. */
async function takeTurn(
  merchantId: UserId,
  parts: SendingParts,
  signal: AbortSignal | undefined,
): Promise<number> {
  const facts = await parts.known.merchantOf(merchantId)
  for (let count = 0; count < clientsInARow; count += 1)
    if (signal?.aborted === true || !(await keepNext(facts, parts))) return count
  return clientsInARow
}

/** False if no appointment of the merchant is due. */
async function keepNext(facts: MerchantFacts, parts: SendingParts): Promise<boolean> {
  const { pool, clock, log } = parts
  return onConnectionOf(pool, durableTransaction, async (tx) => {
    const claimed = await claimDue(tx, facts.merchantId, clock.now())
    if (claimed === null) return false
    const { clientId, attempts } = claimed
    try {
      const looked = await lookAfterClient(clientId, attempts, facts, contextOf(clientId), parts)
      switch (looked.kind) {
        case 'gone':
          await forgetClient(tx, clientId)
          break
        case 'done':
          if (await keepUntil(tx, claimed, looked.at)) await leaveOut(tx, clientId, looked.settled)
          break
        case 'waits':
          await retryLater(tx, clientId, looked.delayMs, looked.reason)
          break
      }
    } catch (error) {
      const delayMs = delayAfter(attempts + 1)
      log.warn(
        { err: error, clientId, againInMs: delayMs },
        'A message to a client could not be decided or sent; retrying with backoff.',
      )
      await retryLater(tx, clientId, delayMs, error)
    }
    return true
  })
}

function contextOf(commandId: string): CommandContext {
  return {
    commandId,
    correlationId: commandId,
    actor: { kind: 'system', id: 'reminders' },
    source: 'system',
  }
}
