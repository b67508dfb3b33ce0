import type { ClientId, UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { Day } from '#services/finance/calendar'
import { unreachable } from '#services/foundation/decider'
import { localTime } from './local-time.ts'
import { planClient, type PlannedMessage, type PlannedSkip } from './plan-client.ts'
import type { RemindedParts, RemindingMerchant } from './reminded.ts'
import { clientReminderDecider, type ReminderCommand } from './reminder-decider.ts'
import type { ReminderState } from './reminder-state.ts'

/** One client, as the log has it. */
export interface ForecastClient extends Omit<RemindedParts, 'merchant'> {
  readonly clientId: ClientId
  readonly state: ReminderState
}

/** What will happen to a client's steps if nothing else happens. */
export interface Forecast {
  readonly clientId: ClientId
  readonly at: Instant
  readonly message: PlannedMessage | null
  readonly skips: readonly PlannedSkip[]
}

/** What the forecast knows of a merchant. */
export interface ForecastMerchant extends Omit<RemindingMerchant, 'isFull'> {
  readonly merchantId: UserId
  /** The most clients on a day of the merchant. */
  readonly limitOn: (day: Day) => number
  /** The places of its day that other clients have at this time, before the turn of these. */
  readonly takenAt: (at: Instant) => number
}

/**
 * What goes out from `from` to before `until`, in the order of time: the rules that send, applied
 * to each coming time as if every message arrived. Clients of one time take turns by their id.
 */
export function forecast(
  merchant: ForecastMerchant,
  clients: readonly ForecastClient[],
  { from, until }: { readonly from: Instant; readonly until: Instant },
): readonly Forecast[] {
  const { merchantId } = merchant
  const sentOn = new Map<Day, number>()
  const countOn = (day: Day) => sentOn.get(day) ?? 0
  const dayOf = localTime(merchant.timeZone).dayOf
  const reminding: RemindingMerchant = {
    ...merchant,
    isFull(at) {
      const day = dayOf(at)
      return countOn(day) + merchant.takenAt(at) >= merchant.limitOn(day)
    },
  }
  const result: Forecast[] = []
  // Most clients share their times: the sending hours of a few zones.
  const agenda = new Map<Instant, ForecastClient[]>([[from, [...clients]]])
  for (;;) {
    const at = [...agenda.keys()].sort()[0]
    if (at === undefined || at >= until) return result
    const turn = agenda.get(at) ?? []
    agenda.delete(at)
    for (const client of turn.toSorted((a, b) => (a.clientId < b.clientId ? -1 : 1))) {
      const { clientId } = client
      const parts = { merchant: reminding, client: client.client, receivables: client.receivables }
      const { message, skips } = planClient(parts, client.state, at)
      if (message !== null || skips.length > 0) result.push({ clientId, at, message, skips })
      const state = afterFollow(client.state, parts, { merchantId, clientId, at })
      if (message !== null) sentOn.set(dayOf(at), countOn(dayOf(at)) + 1)
      const { nextAt } = planClient(parts, state, at)
      if (nextAt === null) continue
      const later = agenda.get(nextAt)
      if (later === undefined) agenda.set(nextAt, [{ ...client, state }])
      else later.push({ ...client, state })
    }
  }
}

/** The state after the client's message of this time arrived. */
function afterFollow(
  state: ReminderState,
  parts: RemindedParts,
  of: { readonly merchantId: UserId; readonly clientId: ClientId; readonly at: Instant },
): ReminderState {
  const followed = handled(state, { type: 'follow', parts, to: { mail: '', text: '' }, ...of })
  if (followed.open === null) return followed
  const { messageId } = followed.open
  const what = { subject: null, body: '', providerId: null }
  return handled(followed, { type: 'record-sent', messageId, ...what, ...of })
}

function handled(state: ReminderState, command: ReminderCommand): ReminderState {
  const decision = clientReminderDecider.decide(command, state)
  switch (decision.kind) {
    case 'accepted':
      return decision.events.reduce(clientReminderDecider.evolve, state)
    case 'refused':
      return state
    default:
      return unreachable(decision)
  }
}
