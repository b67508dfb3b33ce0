import type { ControlEvent } from '#contracts/events/control'
import type { Instant } from '#contracts/instant'
import { accepted, type Decider } from '#services/foundation/decider'

/** Records that a control fired. A repeat records nothing. */
export interface RecordFiring {
  readonly type: 'record-firing'
  readonly control: string
  readonly title: string
  /** The event that broke the rule. */
  readonly eventId: string
  readonly sentence: string
  /** When the product knew the event. */
  readonly at: Instant
}

/** The firings of a customer. */
export type FiringState = ReadonlySet<string>

export const controlDecider: Decider<'control', FiringState, RecordFiring, ControlEvent, never> = {
  category: 'control',
  initialState: new Set(),

  evolve(state, { data }) {
    return new Set(state).add(firingFact(data))
  },

  decide({ control, title, eventId, sentence, at }, state) {
    const fact = firingFact({ control, eventId })
    if (state.has(fact)) return accepted()
    const data = { control, title, eventId, sentence }
    return accepted({ type: 'ControlFired', data, occurredAt: at, fact })
  },
}

/** Names the firing: the id of ControlFired is derived from it. */
export function firingFact({
  control,
  eventId,
}: {
  readonly control: string
  readonly eventId: string
}): string {
  return `${control} ${eventId}`
}
