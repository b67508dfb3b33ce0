import { parseClientId, parseUserId } from '#contracts/ids'
import type { ClientReminderEvent } from '#contracts/events/client-reminder'
import type { Instant } from '#contracts/instant'
import { parseDay, type Day } from '#services/finance/calendar'
import { parseTimeZone, type TimeZone } from '#services/finance/time-zone'
import type {
  RemindedClient,
  RemindedParts,
  RemindedReceivable,
  RemindingMerchant,
} from '#services/receivables/reminders/reminded'
import { localTime } from '#services/receivables/reminders/local-time'
import {
  clientReminderDecider,
  type ReminderCommand,
} from '#services/receivables/reminders/reminder-decider'
import type { ReminderState } from '#services/receivables/reminders/reminder-state'
import type { Schedule, Step } from '#services/receivables/reminders/schedule'

export const merchantId = parseUserId('usr_alder')
export const clientId = parseClientId('client_grace')

/** Of each client. */
export const addresses = { mail: 'ap@grace.example', text: '+12185550147' }

export function day(text: string): Day {
  const parsed = parseDay(text)
  if (parsed === null) throw new Error(`${text} is no day.`)
  return parsed
}

export function zone(name: string): TimeZone {
  const parsed = parseTimeZone(name)
  if (parsed === null) throw new Error(`${name} is no time zone.`)
  return parsed
}

export const newYork = zone('America/New_York')

/** Before everything else. */
const always: Instant = '2020-01-01T00:00:00.000Z'

export function step(
  offset: number,
  tone: Step['tone'] = 'friendly',
  channel: Step['channel'] = 'mail',
  changes: Partial<Step> = {},
): Step {
  const stepId = `${channel} ${tone} ${offset}`
  return { stepId, offset, tone, channel, since: always, includesPast: false, ...changes }
}

/** Monday to Friday at 9:30, three messages in 7 days. */
export function schedule(steps: readonly Step[], changes: Partial<Schedule> = {}): Schedule {
  return {
    steps,
    repeatLastEvery: null,
    sendingDays: new Set([1, 2, 3, 4, 5]),
    daysOff: new Set(),
    sendingTime: '09:30',
    messagesPerWeek: 3,
    ...changes,
  }
}

export function merchant(changes: Partial<RemindingMerchant> = {}): RemindingMerchant {
  return {
    schedule: schedule([step(0)]),
    timeZone: newYork,
    sendingSince: always,
    isFull: () => false,
    ...changes,
  }
}

/** All places of these days are taken. */
export const fullOn =
  (days: ReadonlySet<Day>) =>
  (at: Instant): boolean =>
    days.has(localTime(newYork).dayOf(at))

export function client(changes: Partial<RemindedClient> = {}): RemindedClient {
  const timeZone = changes.timeZone ?? newYork
  return {
    timeZone,
    textZones: [timeZone],
    mail: null,
    text: null,
    hold: null,
    releasedAt: null,
    ...changes,
  }
}

export function receivable(
  dueDate: string,
  changes: Partial<RemindedReceivable> = {},
): RemindedReceivable {
  return {
    receivableId: 'receivable_1',
    dueDate: day(dueDate),
    addedAt: always,
    settled: null,
    reopened: null,
    hold: null,
    promisedBy: null,
    isDisputed: false,
    isPaying: false,
    payingUntil: null,
    resumed: null,
    ...changes,
  }
}

export function reminded(changes: Partial<RemindedParts> = {}): RemindedParts {
  return { merchant: merchant(), client: client(), receivables: [], ...changes }
}

type Rest<Command> = Command extends unknown
  ? Omit<Command, 'merchantId' | 'clientId' | 'at'>
  : never

/** The events that a command records. @throws Error if the command is refused */
export function decided(
  state: ReminderState,
  command: Rest<ReminderCommand>,
  at: Instant,
): readonly ClientReminderEvent[] {
  const decision = clientReminderDecider.decide(
    { ...command, merchantId, clientId, at } as ReminderCommand,
    state,
  )
  if (decision.kind === 'refused')
    throw new Error(`${command.type} is refused: ${decision.refusal.kind}.`)
  return decision.events
}

export function stateAfter(
  events: readonly ClientReminderEvent[],
  state: ReminderState = clientReminderDecider.initialState,
): ReminderState {
  return events.reduce(clientReminderDecider.evolve, state)
}

/** The state after the client was followed at this time, and its message was accepted. */
export function afterMessage(
  parts: RemindedParts,
  at: Instant,
  state: ReminderState = clientReminderDecider.initialState,
): ReminderState {
  const due = stateAfter(decided(state, { type: 'follow', parts, to: addresses }, at), state)
  if (due.open === null) throw new Error(`No message is due at ${at}.`)
  const { messageId } = due.open
  return stateAfter(
    decided(
      due,
      {
        type: 'record-sent',
        messageId,
        subject: null,
        body: '',
        providerId: null,
      },
      at,
    ),
    due,
  )
}
