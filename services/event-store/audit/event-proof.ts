import type { KeyObject } from 'node:crypto'
import { ForgedEvent } from '../errors.ts'
import { hasGenuineMac, type ChainedEvent } from './hash-chain.ts'

/** Decides whether an event is the product's own. */
export interface EventProof {
  isGenuine(event: ChainedEvent): boolean
  /** @throws ForgedEvent for the first event that is not genuine */
  refuseForged(events: readonly ChainedEvent[]): void
}

/** An event is genuine if it has the MAC of this key (`macKeyOf`). */
export function proofByMac(macKey: KeyObject): EventProof {
  const isGenuine = (event: ChainedEvent) => hasGenuineMac(event, macKey)
  return {
    isGenuine,
    refuseForged(events) {
      const forged = events.find((event) => !isGenuine(event))
      if (forged !== undefined) throw new ForgedEvent(forged)
    },
  }
}

/**
 * Every event counts as genuine. For a log that was imported under another AUDIT_KEY, and for a
 * caller that checks the MACs itself.
 */
export const withoutProof: EventProof = { isGenuine: () => true, refuseForged: () => undefined }
