import { setImmediate } from 'node:timers/promises'
import type { UserId } from '#contracts/ids'
import type { NextStep } from '#contracts/receivables/messages'
import type { Clock } from '#services/foundation/clock'
import { unreachable } from '#services/foundation/decider'
import type { MessagesOf } from '../messages-of.ts'
import type { ReceivablesQueries } from '../receivables-queries.ts'
import { forecast, type Forecast, type ForecastClient } from '../reminders/forecast.ts'
import type { PendingStep } from '../reminders/pending-steps.ts'
import { planClient, type PlannedMessage } from '../reminders/plan-client.ts'
import { forecastClientsOf, type OwingClient, type StopsOf } from '../schedule/owing-client.ts'
import { channelNames, on, skipInWords } from '../schedule/reason-words.ts'
import type { KnownClients } from './known-clients.ts'
import { placesOfOthers, type ForecastOfOne, type OthersDueOf } from './places-of-others.ts'

export interface NextStepsParts {
  readonly known: Pick<KnownClients, 'merchantOf'>
  readonly queries: Pick<ReceivablesQueries, 'owingClientsAmong' | 'lastEndedSteps'> & StopsOf
  readonly othersDue: OthersDueOf
  /** The business clock. */
  readonly clock: Clock
}

/** A schedule's last step is at most a year after the due date. */
const aheadMs = 400 * 86_400_000

/** What is next for each invoice of a list: by the function that sends, from the read model. */
export function createNextSteps(parts: NextStepsParts): Pick<MessagesOf, 'nextSteps'> {
  const { known, queries, othersDue, clock } = parts
  return {
    async nextSteps(merchantId, receivableIds) {
      const merchant = await known.merchantOf(merchantId)
      const clients = await queries.owingClientsAmong(merchantId, { receivableIds })
      const planned = await forecastClientsOf(queries, merchantId, clients, merchant.timeZone)
      const found = new Map<string, NextStep>()
      for (const [index, client] of clients.entries()) {
        const asPlanned = planned[index]
        const wanted = client.owed.filter(({ receivableId }) =>
          receivableIds.some((id) => id === receivableId),
        )
        if (asPlanned === undefined) continue
        if (merchant.sendingSince === null) {
          for (const { receivableId } of wanted)
            found.set(receivableId, {
              ...nothing(receivableId),
              kind: 'still',
              note: stillNote(merchant),
            })
          continue
        }
        const one = await placesOfOthers(merchant, client.clientId, clock.now(), othersDue)
        for (const step of stepsOf(wanted, client, asPlanned, one, clock.now()))
          found.set(step.receivableId, step)
        await setImmediate()
      }
      const left = [...found.values()].filter(({ kind }) => kind === 'none')
      if (left.length > 0) await addLast(merchantId, left, found, queries)
      return receivableIds.flatMap((id) => found.get(id) ?? [])
    },
  }
}

const nothing = (receivableId: string) =>
  ({ receivableId, kind: 'none', day: null, channel: null, note: '' }) as const

const stillNote = ({
  maySend,
}: Pick<Awaited<ReturnType<KnownClients['merchantOf']>>, 'maySend'>): string =>
  maySend ? 'Reminders are off' : 'Nothing may go out'

function stepsOf(
  wanted: OwingClient['owed'],
  client: OwingClient,
  asPlanned: ForecastClient,
  { merchant }: ForecastOfOne,
  now: Date,
): readonly NextStep[] {
  const from = now.toISOString()
  const until = new Date(now.getTime() + aheadMs).toISOString()
  const forecasts = forecast(merchant, [asPlanned], { from, until })
  const parts = { ...asPlanned, merchant: { ...merchant, isFull: () => false } }
  const { waiting } = planClient(parts, asPlanned.state, from)
  const numberOf = (id: string) =>
    client.owed.find(({ receivableId }) => receivableId === id)?.number ?? ''
  return wanted.map(({ receivableId }) => {
    for (const each of forecasts) {
      const next = fromForecast(each, receivableId, numberOf)
      if (next !== null) return next
    }
    const waits = waiting.find((step) => step.receivableId === receivableId)
    if (waits === undefined) return nothing(receivableId)
    return { ...nothing(receivableId), kind: 'wait', note: waitNote(waits.waitsFor) }
  })
}

function fromForecast(
  { message, skips }: Forecast,
  receivableId: string,
  numberOf: (id: string) => string,
): NextStep | null {
  if (message?.steps.some((step) => step.receivableId === receivableId) === true) {
    const { day, channel } = message
    const others = message.steps.flatMap((step) =>
      step.receivableId === receivableId ? [] : [numberOf(step.receivableId)],
    )
    const note = `${nameOf(message)}${withOthers([...new Set(others)])}`
    return { receivableId, kind: 'message', day, channel, note }
  }
  const skip = skips.find(({ steps }) => steps.some((step) => step.receivableId === receivableId))
  if (skip === undefined) return null
  return { ...nothing(receivableId), kind: 'skip', note: skipInWords(skip.why) }
}

const nameOf = ({ tone, channel }: Pick<PlannedMessage, 'tone' | 'channel'>) =>
  `${tone.charAt(0).toUpperCase()}${tone.slice(1)} ${channelNames[channel]}`

function withOthers(numbers: readonly string[]): string {
  const [first] = numbers
  if (first === undefined) return ''
  return numbers.length === 1 ? `, with ${first}` : `, with ${first} and ${numbers.length - 1} more`
}

function waitNote(waitsFor: PendingStep['waitsFor']): string {
  switch (waitsFor) {
    case 'payment':
      return 'a payment is on its way'
    case 'hold':
    case 'client-hold':
      return 'until you end the hold'
    case 'promise':
      return 'until the promised day'
    case 'dispute':
      return 'until you end the dispute'
    case null:
      return 'for a sending day'
    default:
      return unreachable(waitsFor)
  }
}

/** How the last step of an invoice ended that has none left. */
async function addLast(
  merchantId: UserId,
  left: readonly NextStep[],
  found: Map<string, NextStep>,
  queries: Pick<ReceivablesQueries, 'lastEndedSteps'>,
): Promise<void> {
  const last = await queries.lastEndedSteps(
    merchantId,
    left.map(({ receivableId }) => receivableId),
  )
  const of = new Map(last.map((step) => [step.receivableId, step]))
  for (const step of left) {
    const ended = of.get(step.receivableId)
    found.set(step.receivableId, {
      ...step,
      note: ended === undefined ? 'No step concerns it' : endedNote(ended),
    })
  }
}

type Ended = Awaited<ReturnType<ReceivablesQueries['lastEndedSteps']>>[number]

function endedNote({ tone, channel, outcome, day }: Ended): string {
  const name = `${tone.charAt(0).toUpperCase()}${tone.slice(1)} ${channel === 'mail' ? 'e-mail' : 'text'}`
  return `${name} ${outcome === 'sent' ? 'sent' : 'not sent'} ${on(day)}`
}
