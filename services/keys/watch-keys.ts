import type { Logger } from 'pino'
import {
  lockShared,
  releaseSharedLease,
  takeSharedLease,
  type Lease,
} from '#services/postgres/lease'
import type { EmailKeys, EmailKeyState } from '#services/accounts/email-keys'
import { leaseNames } from '#services/foundation/application-names'
import { createBackoff } from '#services/foundation/backoff'
import { keyFingerprint } from '#services/foundation/key-fingerprint'
import { createOutageLog } from '#services/foundation/outage-log'
import { repeat } from '#services/foundation/repeat'
import { StartupError } from '#services/foundation/startup-error'
import { emailKeyInUse, type EmailKeyInUse } from './email-key-in-use.ts'
import { masterFingerprints, type ProductKeys } from './key-fingerprints.ts'
import { hasMasterKey, prepared, userLock } from './key-users.ts'

type WatchedKeys = Pick<ProductKeys, 'masterKey' | 'emailHmacKey'> & {
  readonly previousMasterKey: Buffer | null
  readonly previousEmailHmacKey: Buffer | null
}

export interface KeyWatch extends EmailKeys {
  close(): Promise<void>
}

/**
 * Holds shared locks with the names of this process's keys, and follows the EMAIL_HMAC_KEY in use
 * while the process runs. A rotation of MASTER_KEY is refused while a process does not have the new
 * key. Call it before `assertKnownKeys`.
 *
 * The process holds a lock with the name of the key under which it claims addresses. It takes the
 * lock before it reads which key is in use, and a rotation changes the key before it looks for
 * locks. So the rotation knows when no process claims addresses under the former key alone.
 * @throws the database's error, if the key in use cannot be read
 */
export async function watchKeys({
  connectionString,
  keys,
  log,
  everyMs = 1_000,
}: {
  readonly connectionString: string
  readonly keys: WatchedKeys
  readonly log: Logger
  /** From one look at the key in use to the next, in milliseconds. Default: 1,000. */
  readonly everyMs?: number
}): Promise<KeyWatch> {
  const { emailHmacKey, previousEmailHmacKey } = keys
  const known = [emailHmacKey, ...(previousEmailHmacKey === null ? [] : [previousEmailHmacKey])]
  const byPrint = new Map(known.map((key) => [keyFingerprint(key), key]))
  const closing = new AbortController()
  /** Null: a key that is not set is in use. */
  let state: EmailKeyState | null = { kind: 'settled', inUse: emailHmacKey }
  let lease: Lease | null = null
  /** The fingerprint of the key whose locks the lease holds. */
  let locked: string | null = null
  let looking: Promise<void> | null = null
  /** The work in progress under each key that was in use. */
  const holds = new Map<string, number>()

  /** One look at a time: a caller that comes during a look gets another one after it. */
  async function refresh(): Promise<void> {
    // Its own caller gets the failure.
    await looking?.catch(() => undefined)
    looking ??= look().finally(() => (looking = null))
    return looking
  }

  async function look(): Promise<void> {
    if (lease === null || lease.lost.aborted) {
      locked = null
      lease = await takeKeyLease(connectionString, keys)
    }
    const { connection } = lease
    for (;;) {
      const row = await emailKeyInUse(connection)
      const next =
        row === null ? { kind: 'settled' as const, inUse: emailHmacKey } : stateOf(row, byPrint)
      const wanted = next?.kind === 'settled' ? keyFingerprint(next.inUse) : null
      if (wanted === null || wanted === locked) {
        state = next
        if (wanted === null) await unlockIfUnused()
        return
      }
      await unlock()
      for (const lock of locksOf(wanted, byPrint)) await lockShared(connection, lock)
      locked = wanted
    }

    async function unlock(): Promise<void> {
      if (locked === null) return
      const former = locked
      locked = null
      for (const lock of locksOf(former, byPrint)) await releaseSharedLease(connection, lock)
    }

    async function unlockIfUnused(): Promise<void> {
      if (locked !== null && (holds.get(locked) ?? 0) === 0) await unlock()
    }
  }

  /** The key under which this process claims addresses alone. Null during a rotation. */
  function printInUse(): string | null {
    return state?.kind === 'settled' ? keyFingerprint(state.inUse) : null
  }

  await refresh()
  const watching = repeat(refresh, {
    everyMs,
    backoff: createBackoff({ firstMs: 500, longestMs: 5_000 }),
    outage: createOutageLog(log, {
      began: 'Reading which EMAIL_HMAC_KEY is in use failed; retrying with backoff.',
      lasts: 'Which EMAIL_HMAC_KEY is in use still cannot be read.',
      over: 'Which EMAIL_HMAC_KEY is in use is read again.',
    }),
    signal: closing.signal,
  })

  return {
    known,
    state() {
      if (state !== null) return state
      throw new StartupError(
        'EMAIL_HMAC_KEY was changed in this database, and this process does not have both keys of the change. Set EMAIL_HMAC_KEY to the new key and EMAIL_HMAC_KEY_PREVIOUS to the former one, and restart the process.',
      )
    },
    refresh,
    async hold(work) {
      // Without its locks, a rotation would not wait for this process.
      if (lease === null || lease.lost.aborted || (printInUse() ?? locked) !== locked)
        await refresh()
      const held = printInUse()
      if (held === null) return work()
      holds.set(held, (holds.get(held) ?? 0) + 1)
      try {
        return await work()
      } finally {
        holds.set(held, (holds.get(held) ?? 0) - 1)
      }
    },
    async close() {
      closing.abort()
      await watching
      // Its own caller gets the failure.
      await looking?.catch(() => undefined)
      await lease?.release()
    },
  }
}

type KeysByPrint = ReadonlyMap<string, Buffer>

/** The locks of a process that has these keys while this one of them is in use. */
function locksOf(inUse: string, byPrint: KeysByPrint): readonly string[] {
  const others = [...byPrint.keys()].filter((each) => each !== inUse)
  return [userLock(inUse), ...others.map((other) => prepared(inUse, other))]
}

/** Null: a key that is not set is in use. */
function stateOf(row: EmailKeyInUse, byPrint: KeysByPrint): EmailKeyState | null {
  const inUse = byPrint.get(row.inUse)
  if (inUse === undefined) return null
  if (row.former === null) return { kind: 'settled', inUse }
  const from = byPrint.get(row.former)
  return from === undefined ? null : { kind: 'changing', from, to: inUse }
}

/** The lease of all processes, with a lock for each MASTER_KEY that this process has. */
async function takeKeyLease(
  connectionString: string,
  keys: Pick<WatchedKeys, 'masterKey' | 'previousMasterKey'>,
): Promise<Lease> {
  const lease = await takeSharedLease(connectionString, leaseNames.keys)
  try {
    for (const fingerprint of masterFingerprints(keys))
      if (fingerprint !== undefined) await lockShared(lease.connection, hasMasterKey(fingerprint))
    return lease
  } catch (error) {
    await lease.release()
    throw error
  }
}
