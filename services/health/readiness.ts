import { statfs } from 'node:fs/promises'
import { parkedCustomers } from '#services/controls/parked-customers'
import type { EventStore } from '#services/event-store/event-store'
import { applicationNames } from '#services/foundation/application-names'
import type { Queryable } from '#services/foundation/queryable'
import { createOutageLog, type WarningLog } from '#services/foundation/outage-log'
import { withTimeout } from '#services/foundation/timeout'
import type { Readiness } from '#services/http/health'
import { createPool } from '#services/postgres/connect'
import { explainWriteFailure, probeWrites } from '#services/postgres/probe-writes'
import { createCheck } from './dependency-check.ts'
import { parkedCustomerReasons } from './parked-reasons.ts'
import { createReadModelReasons } from './read-model-reasons.ts'
import { createReadinessPart } from './readiness-part.ts'
import { waitsForRelease } from './waits-for-release.ts'

export interface ReadinessParts {
  readonly connectionString: string
  readonly store: Pick<EventStore, 'lastPosition' | 'countAfter' | 'readAll'>
  /** If true, the database's check covers the event log. */
  readonly isLogInDatabase: boolean
  /** DATA_DIR, if the embedded PostgreSQL keeps its files there. */
  readonly dataDir: string | null
  /**
   * Why the business clock is wrong. Null if it is right, or if this process has no business clock.
   */
  readonly clockProblem?: () => string | null
  /** Why this process cannot read personal keys. Null if it can. */
  readonly keyProblem?: (db: Queryable) => Promise<string | null>
  /** The readers of this process that wait for a newer release: another part reports them. */
  readonly waiting?: () => readonly string[]
  readonly log: WarningLog
  /**
   * The shortest time between two writes to the database, and between two reads of the event store.
   * Default 5,000.
   */
  readonly everyMs?: number
  /** Time limit of each check. Default 2,000. */
  readonly limitMs?: number
}

export interface ReadinessChecks {
  /** Answers little later than `limitMs`, even if a dependency hangs. Never rejects. */
  check(): Promise<Readiness>
  /** Whether the database accepts writes. */
  isWritable(): Promise<boolean>
  close(): Promise<void>
}

/** PostgreSQL stops if it has no room for the next segment of its write-ahead log, 16 MB. */
const minBytesFree = 32_000_000

/**
 * Checks whether this process can serve. The business clock must be right, the database must accept
 * writes, the event store must be readable, every read model must be built, and no projection with
 * pages of customers may be paused. A read model that is not divisible, such as `reports`, also
 * pauses at an event that concerns all customers. No page of a customer needs it, so its pause does
 * not block, also while it is being built: only an operator ends the pause.
 */
export function createReadiness(parts: ReadinessParts): ReadinessChecks {
  const { store, log, everyMs = 5_000, limitMs = 2_000 } = parts
  // A separate pool: requests that wait for the product's pool are no sign of a database problem.
  const pool = createPool(parts.connectionString, {
    max: 2,
    applicationName: applicationNames.readiness,
    limits: { connectMs: limitMs, statementMs: limitMs, answerMs: limitMs },
  })
  const limit = `${limitMs / 1_000} s`

  const writes = createCheck({
    probe: () => probeWrites(pool, limitMs),
    explain: explainWriteFailure,
    everyMs,
    limitMs,
    timeoutReason: `The database does not answer within ${limit}. Check that it runs and can be reached.`,
    outage: createOutageLog(log, {
      began: 'The database refuses a write; /readyz answers 503.',
      lasts: 'The database still refuses writes.',
      over: 'The database accepts writes again.',
    }),
  })
  const eventStore = createCheck({
    probe: () => store.lastPosition(),
    explain: () =>
      'The event store cannot be read. Check that the EventStoreDB in EVENTSTORE_URL runs and can be reached.',
    everyMs,
    limitMs,
    timeoutReason: `The event store does not answer within ${limit}. Check that the EventStoreDB in EVENTSTORE_URL runs and can be reached.`,
    outage: createOutageLog(log, {
      began: 'The event store cannot be read; /readyz answers 503.',
      lasts: 'The event store still cannot be read.',
      over: 'The event store can be read again.',
    }),
  })
  const readModelReasons = createReadModelReasons({ pool, store, log })
  const part = (what: string, read: () => Promise<readonly string[]>) =>
    createReadinessPart(what, read, { log, limitMs })
  const keys = part('The keys of personal data', async () => asList(await parts.keyProblem?.(pool)))
  const controls = part('The controls that wait', async () =>
    parkedCustomerReasons(await parkedCustomers(pool)),
  )
  const waits = part('The waits for a newer release', () =>
    waitsForRelease(pool, store, parts.waiting?.() ?? []),
  )

  async function checkOnce(): Promise<Readiness> {
    const [cannotWrite, cannotReadEvents, ofReadModels, ofKeys, ofControls, ofWaits] =
      await Promise.all([
        writes.reason(),
        parts.isLogInDatabase ? null : eventStore.reason(),
        withTimeout(limitMs, readModelReasons(), () => null),
        keys.look(),
        controls.look(),
        waits.look(),
      ])
    const isOutage = cannotWrite !== null || cannotReadEvents !== null
    const reasons = [
      ...keys.reasons(ofKeys, isOutage),
      ...asList(parts.clockProblem?.()),
      ...asList(cannotWrite),
      ...(ofReadModels?.blocking ?? (await explainUnreadable(cannotWrite))),
      ...asList(cannotReadEvents),
    ]
    return {
      isReady: reasons.length === 0,
      reasons: [
        ...reasons,
        ...(ofReadModels?.others ?? []),
        ...controls.reasons(ofControls, isOutage),
        ...waits.reasons(ofWaits, isOutage),
      ],
    }
  }

  /** Explains why the database could not be read. */
  async function explainUnreadable(cannotWrite: string | null): Promise<readonly string[]> {
    if (cannotWrite === null)
      return ['The state of the projections cannot be read. The product’s log has the details.']
    const bytesFree = parts.dataDir === null ? null : await freeBytes(parts.dataDir)
    if (bytesFree === null || bytesFree >= minBytesFree) return []
    return [
      `The disk that holds DATA_DIR has ${Math.floor(bytesFree / 1_000_000)} MB left. Free some space; the embedded PostgreSQL then starts by itself.`,
    ]
  }

  let checking: Promise<Readiness> | null = null
  return {
    check: async () => {
      if (pool.ending) return { isReady: false, reasons: ['This process is stopping.'] }
      return (checking ??= checkOnce().finally(() => (checking = null)))
    },
    isWritable: async () => !pool.ending && (await writes.reason()) === null,
    close: () => pool.end(),
  }
}

function asList(sentence: string | null | undefined): readonly string[] {
  return sentence === null || sentence === undefined ? [] : [sentence]
}

async function freeBytes(path: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize
  } catch {
    return null
  }
}
