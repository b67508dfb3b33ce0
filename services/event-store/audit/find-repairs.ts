import type { KeyObject } from 'node:crypto'
import type { EventStore, StoredEvent, StreamEvent } from '../event-store.ts'
import { hashOf, hasGenuineMac, linkOf } from './hash-chain.ts'

type Log = Pick<EventStore, 'readAll'>
type WithoutPosition = Omit<StoredEvent, 'position'>

/** An event of the log without a genuine MAC, and the original of a backup. */
export interface Repair {
  readonly damaged: StoredEvent
  readonly original: WithoutPosition
}

export interface FoundRepairs {
  readonly repairs: readonly Repair[]
  /** The damaged events without a usable original, and why not. */
  readonly left: readonly { readonly damaged: StoredEvent; readonly reason: string }[]
}

/** More damaged events mean another AUDIT_KEY, or a log that must be restored as a whole. */
export const maxDamaged = 10_000

/**
 * The damaged events of a log: those without a genuine MAC. Null if there are more than 10,000.
 */
export async function damagedEvents(
  log: Log,
  macKey: KeyObject,
  onEvents: (count: number) => void = () => undefined,
): Promise<readonly StoredEvent[] | null> {
  const damaged: StoredEvent[] = []
  for await (const page of log.readAll(null)) {
    for (const event of page) if (!hasGenuineMac(event, macKey)) damaged.push(event)
    if (damaged.length > maxDamaged) return null
    onEvents(page.length)
  }
  return damaged
}

/**
 * Finds the originals of damaged events in a backup. An original is at the same revision of the
 * same stream, and has a genuine MAC. Its neighbors in the log, after the repairs, are those that
 * its chain names. `sealedHash` is the hash that a seal has for an event; null if no seal names it.
 */
export async function findRepairs(
  { log, backup }: { readonly log: Pick<EventStore, 'readStream'>; readonly backup: Log },
  damaged: readonly StoredEvent[],
  macKey: KeyObject,
  sealedHash: (event: WithoutPosition) => Promise<string | null>,
): Promise<FoundRepairs> {
  const originals = await originalsIn(backup, damaged, macKey)
  const repairs: Repair[] = []
  const left: { damaged: StoredEvent; reason: string }[] = []
  for (const event of damaged) {
    const original = originals.get(placeOf(event))
    const reason =
      original === undefined
        ? 'the backup has no event with a genuine MAC at this place'
        : await mismatch(original)
    if (original !== undefined && reason === null) repairs.push({ damaged: event, original })
    else left.push({ damaged: event, reason: reason ?? '' })
  }
  return { repairs, left }

  /** Why an original does not fit into the log. */
  async function mismatch(original: WithoutPosition): Promise<string | null> {
    const { stream, revision } = original
    const before = revision === 0 ? null : await neighbor(stream, revision - 1)
    if (linkOf(original) !== (before === null ? null : hashOf(before)))
      return `it does not continue revision ${revision - 1} of the log`
    const after = await neighbor(stream, revision + 1)
    if (after !== null && linkOf(after) !== hashOf(original))
      return `revision ${revision + 1} of the log does not continue it`
    const sealed = await sealedHash(original)
    return sealed === null || sealed === hashOf(original) ? null : 'a seal has another hash for it'
  }

  /** The event of the log, or its original. */
  async function neighbor(stream: string, revision: number): Promise<WithoutPosition | null> {
    const original = originals.get(placeOf({ stream, revision }))
    if (original !== undefined) return original
    const [event] = await log.readStream(stream, revision, 1)
    return event?.revision === revision ? event : null
  }
}

async function originalsIn(
  backup: Log,
  damaged: readonly StoredEvent[],
  macKey: KeyObject,
): Promise<ReadonlyMap<string, WithoutPosition>> {
  const wanted = new Set(damaged.map(placeOf))
  const found = new Map<string, WithoutPosition>()
  for await (const page of backup.readAll(null))
    for (const event of page)
      if (wanted.has(placeOf(event)) && hasGenuineMac(event, macKey))
        found.set(placeOf(event), event)
  return found
}

function placeOf({ stream, revision }: Pick<StreamEvent, 'stream' | 'revision'>): string {
  return `${stream} ${revision}`
}
