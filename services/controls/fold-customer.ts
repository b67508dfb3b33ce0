import { findUnstorable } from '#contracts/storable-text'
import type { EventCodec } from '#services/event-store/encryption/codec'
import { UnreadableEvent } from '#services/event-store/errors'
import type { StoredEvent } from '#services/event-store/event-store'
import { controls, isControlled } from '#services/finance/controls/controls'
import { watch, type Firing, type WatchedCustomer } from '#services/finance/controls/watch'

export interface FoldedCustomer {
  /** After the last event that was folded. */
  readonly state: WatchedCustomer
  readonly firings: readonly Firing[]
  /** The first event that cannot be folded. Null if all events are folded. */
  readonly poison: { readonly index: number; readonly error: unknown } | null
}

type Folded = Pick<FoldedCustomer, 'state' | 'firings'>

/**
 * Folds the next events of one customer, in the order of the log, up to the first that cannot be
 * folded. `codec` reads no keys, so every error is of an event, and none of the environment.
 */
export async function foldCustomer(
  codec: Pick<EventCodec, 'decode'>,
  before: WatchedCustomer,
  events: readonly StoredEvent[],
): Promise<FoldedCustomer> {
  try {
    return { ...(await foldAll(codec, before, events)), poison: null }
  } catch {
    return foldEach(codec, before, events)
  }
}

async function foldEach(
  codec: Pick<EventCodec, 'decode'>,
  before: WatchedCustomer,
  events: readonly StoredEvent[],
): Promise<FoldedCustomer> {
  let state = before
  const firings: Firing[] = []
  for (const [index, event] of events.entries()) {
    try {
      const folded = await foldAll(codec, state, [event])
      state = folded.state
      firings.push(...folded.firings)
    } catch (error) {
      return { state, firings, poison: { index, error } }
    }
  }
  return { state, firings, poison: null }
}

/** @throws the error of any event. `before` stays as it is. */
async function foldAll(
  codec: Pick<EventCodec, 'decode'>,
  before: WatchedCustomer,
  events: readonly StoredEvent[],
): Promise<Folded> {
  const decoded = (await codec.decode(events)).filter(isControlled)
  for (const event of decoded)
    if (findUnstorable(event.data) !== null)
      throw new UnreadableEvent(event, 'its payload has text that PostgreSQL does not store.')
  const customer = watch(controls, before)
  const firings = decoded.flatMap((event) => customer.next(event))
  return { state: customer.state(), firings }
}
