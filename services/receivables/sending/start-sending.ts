import type pg from 'pg'
import type { Logger } from 'pino'
import type { ClientId, UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import { createBackoff } from '#services/foundation/backoff'
import { unreachable } from '#services/foundation/decider'
import { inParallel } from '#services/foundation/in-parallel'
import { createOutageLog } from '#services/foundation/outage-log'
import { repeat } from '#services/foundation/repeat'
import { onConnectionOf, turnTransaction } from '#services/postgres/transaction'
import { delayAfter } from '#services/reactors/perform-next'
import {
  claimClient,
  claimDue,
  dueMerchants,
  forgetClient,
  keepAll,
  retryLater,
  waitForServer,
} from './client-appointments.ts'
import { isSettled, lookAfterClient, quietUntil, type LookParts } from './look-after-client.ts'
import type { KnownMerchant } from './known-merchant.ts'
import { createRestWhileOff, type RestWhileOff } from './rest-while-off.ts'

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
const clientsInARow = 20
/** Of a merchant whose reminders are off: an import has thousands. */
const clientsWhileOff = 500
const longestTurnMs = 5_000

/**
 * Keeps the appointments that are due by the business clock, of one merchant after the other. Any
 * number of processes may do so: a row lock gives a client to one of them. The returned function
 * finishes the messages in progress and stops.
 */
export function startSending(parts: SendingParts): () => Promise<void> {
  const { log, everyMs = 1_000 } = parts
  const stop = new AbortController()
  const { signal } = stop
  const rest = createRestWhileOff()
  const sending = repeat(
    async () => {
      while (!signal.aborted && (await sendRound(parts, signal, rest))) continue
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

/**
 * Gives each merchant that has something due a turn. False if nothing was looked after. `rest`:
 * which merchants are left out. Default: none.
 */
export async function sendRound(
  parts: SendingParts,
  signal?: AbortSignal,
  rest: RestWhileOff | null = null,
): Promise<boolean> {
  const merchants = await dueMerchants(parts.pool, parts.clock.now())
  const awake: (typeof merchants)[number][] = []
  // Before the turns: a merchant that rests stays due, and would take a lane from those who send.
  await inParallel(lanes, merchants, async (each) => {
    if (!(await isAtRest(each.merchantId, parts, rest))) awake.push(each)
  })
  let kept = 0
  await inParallel(lanes, turnsOf(awake), async (merchantId) => {
    if (signal?.aborted === true) return
    kept += await takeTurn(merchantId, parts, signal, rest)
  })
  return kept > 0
}

/** It rests, and its reminders are still off. */
async function isAtRest(
  merchantId: UserId,
  { known }: SendingParts,
  rest: RestWhileOff | null,
): Promise<boolean> {
  if (rest?.isResting(merchantId) !== true) return false
  // A merchant that cannot be read fails again in its turn.
  return isOff(await known.merchantOf(merchantId).catch(() => null))
}

function isOff(merchant: KnownMerchant | null): boolean {
  return merchant !== null && merchant.sendingSince === null
}

/** A single merchant uses all lanes, if it has clients for them. */
function turnsOf(
  merchants: readonly { readonly merchantId: UserId; readonly clients: number }[],
): readonly UserId[] {
  const rounds = merchants.length === 0 ? 0 : Math.ceil(lanes / merchants.length)
  return Array.from({ length: rounds }, (_, round) =>
    merchants.filter(({ clients }) => clients > round * clientsInARow),
  )
    .flat()
    .slice(0, Math.max(merchants.length, lanes))
    .map(({ merchantId }) => merchantId)
}

/** Returns how many clients were looked after. */
async function takeTurn(
  merchantId: UserId,
  parts: SendingParts,
  signal: AbortSignal | undefined,
  rest: RestWhileOff | null,
): Promise<number> {
  const { planned, due } = await planDue(merchantId, parts, rest)
  const began = performance.now()
  for (const clientId of due) {
    // The others stay due: a server that is slow for one merchant does not delay all.
    if (signal?.aborted === true || performance.now() - began > longestTurnMs) break
    await keepOne(merchantId, clientId, parts)
  }
  return planned + due.length
}

/**
 * Most looks find nothing to do now: after an import, or after a change of the schedule. So the
 * next clients of the merchant are read and planned together, and those with nothing to do are put
 * off. Returns the others, which need a turn each.
 */
async function planDue(
  merchantId: UserId,
  { pool, clock, known, log }: SendingParts,
  rest: RestWhileOff | null,
): Promise<{ readonly planned: number; readonly due: readonly ClientId[] }> {
  // What cannot be read fails again in the turn of each client, and delays only that one.
  const unread = (error: unknown) => {
    log.debug({ err: error, merchantId }, 'Clients could not be planned together.')
    return null
  }
  const merchantNow = () => known.merchantOf(merchantId).catch(unread)
  return onConnectionOf(pool, turnTransaction, async (tx) => {
    const few = await claimDue(tx, merchantId, clock.now(), clientsInARow)
    if (few.length === 0) return { planned: 0, due: [] }
    // Read after the claim: what changes later is an event that moves the appointments again.
    const first = await merchantNow()
    const wasOff = isOff(first)
    const claimed = wasOff ? await claimDue(tx, merchantId, clock.now(), clientsWhileOff) : few
    if (wasOff && claimed.length < clientsWhileOff) rest?.begin(merchantId)
    const merchant = wasOff ? await merchantNow() : first
    const at = clock.now().toISOString()
    // While reminders are off, nothing is due, whatever the client owes.
    const quietOf = async (of: KnownMerchant, clientId: ClientId) => {
      if (of.sendingSince === null && isSettled(await known.stateOf(clientId)))
        return { dueAt: null, settled: [] }
      const client = await known.clientOf(of, clientId)
      return client === null ? null : quietUntil(client, at)
    }
    const looked = await Promise.all(
      claimed.map(async (each) => {
        const quiet =
          merchant === null ? null : await quietOf(merchant, each.clientId).catch(unread)
        return { claimed: each, quiet }
      }),
    )
    await keepAll(
      tx,
      looked.flatMap(({ claimed: each, quiet }) =>
        quiet === null ? [] : [{ claimed: each, ...quiet }],
      ),
    )
    const due = looked.filter(({ quiet }) => quiet === null)
    return {
      planned: looked.length - due.length,
      due: due.map(({ claimed: { clientId } }) => clientId),
    }
  })
}

/** Brings one client up to date, unless another process does. */
async function keepOne(merchantId: UserId, clientId: ClientId, parts: SendingParts): Promise<void> {
  const { pool, clock, log, known } = parts
  await onConnectionOf(pool, turnTransaction, async (tx) => {
    const claimed = await claimClient(tx, clientId, clock.now())
    if (claimed === null) return
    const { attempts } = claimed
    try {
      const merchant = await known.merchantOf(merchantId)
      const looked = await lookAfterClient(clientId, attempts, merchant, contextOf(clientId), parts)
      switch (looked.kind) {
        case 'gone':
          return await forgetClient(tx, clientId)
        case 'done':
          return await keepAll(tx, [{ claimed, dueAt: looked.at, settled: looked.settled }])
        case 'away':
          return await waitForServer(tx, clientId, looked.delayMs)
        case 'waits':
          return await retryLater(tx, clientId, looked.delayMs, looked.reason)
        default:
          return unreachable(looked)
      }
    } catch (error) {
      const delayMs = delayAfter(attempts + 1)
      log.warn(
        { err: error, clientId, againInMs: delayMs },
        'A message to a client could not be decided or sent; retrying with backoff.',
      )
      return retryLater(tx, clientId, delayMs, error)
    }
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
