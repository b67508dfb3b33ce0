import type { StreamCategory } from '#contracts/events/catalogue'
import type { Decider } from '#services/foundation/decider'

interface Fact {
  readonly type: string
  readonly data: unknown
}

/** `given(decider, ...events).when(command)`: the decision on the command after these events. */
export function given<State, Command, Event extends Fact, Refusal>(
  decider: Decider<StreamCategory, State, Command, Event, Refusal>,
  ...events: readonly Event[]
) {
  const state = events.reduce(
    (folded, event) => decider.evolve(folded, event),
    decider.initialState,
  )
  return {
    state,
    /** The decided events without ids and times, or the refusal. */
    when(command: Command): readonly Fact[] | { readonly refused: Refusal } {
      const decision = decider.decide(command, state)
      if (decision.kind === 'refused') return { refused: decision.refusal }
      return decision.events.map(({ type, data }) => ({ type, data }))
    },
    decide: (command: Command) => decider.decide(command, state),
  }
}
