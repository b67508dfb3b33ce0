import { setImmediate } from 'node:timers/promises'
import type { ClientId, UserId } from '#contracts/ids'
import type { NextMessages } from '#contracts/receivables/messages'
import type { Instant } from '#contracts/instant'
import { addDays, type Day } from '#services/finance/calendar'
import type { Clock } from '#services/foundation/clock'
import { shownText } from '../client-card.ts'
import type { MessagesOf } from '../messages-of.ts'
import type { Forecast, ForecastClient } from '../reminders/forecast.ts'
import { localTime } from '../reminders/local-time.ts'
import { isSendingDay } from '../reminders/sending-times.ts'
import { countedForecast } from '../schedule/counted-forecast.ts'
import {
  forecastClientsOf,
  type OwingClient,
  type OwingQueries,
  type StopsOf,
} from '../schedule/owing-client.ts'
import { plannedSchedule } from '../schedule/planned-schedule.ts'
import { reasonOfStep, skipInWords } from '../schedule/reason-words.ts'
import type { KnownClients } from './known-clients.ts'
import type { KnownMerchant } from './known-merchant.ts'
import { stillness } from './stillness.ts'

export interface NextMessagesParts {
  readonly known: Pick<KnownClients, 'merchantOf'>
  readonly queries: Pick<OwingQueries, 'owingClientsAmong'> & StopsOf
  /** The clients whose next appointments come before `until`, in the order of time. */
  readonly nextClients: (
    merchantId: UserId,
    max: number,
    until: Instant,
  ) => Promise<readonly { readonly clientId: ClientId; readonly dueAt: Instant }[]>
  /** The business clock. */
  readonly clock: Clock
  readonly budgetMs?: number
}

const shownDays = 14
/** Clients that are looked at, read at a time, and planned without other work in between. */
const [maxClients, readAtOnce, plannedAtOnce] = [2_000, 250, 5]
/** Milliseconds. Then the days that are not complete are left out. */
const defaultBudgetMs = 800
/** What the answer names of each. The counts have all. */
const [namedMessages, namedSteps] = [300, 50]

type Next = Omit<NextMessages, 'sentToday'>
type ShownDay = Next['days'][number]

/**
 * What goes out in the next two weeks to all clients, and what does not, if nothing is paid. The
 * clients are planned in the order of their appointments: a client with a later one has nothing
 * before. So the days up to the last planned client are complete, however many clients there are.
 */
export function createNextMessages(parts: NextMessagesParts): Pick<MessagesOf, 'next'> {
  const { known, clock } = parts
  return {
    async next(merchantId) {
      const merchant = await known.merchantOf(merchantId)
      const still = stillness(merchant)
      const { sendingSince } = merchant
      if (still !== null || sendingSince === null)
        return { stillness: still, days: [], messages: [], notSent: [] }
      return nextOf({ ...merchant, sendingSince }, clock.now().toISOString(), parts)
    },
  }
}

async function nextOf(
  merchant: KnownMerchant & { readonly sendingSince: Instant },
  now: Instant,
  { queries, nextClients, budgetMs = defaultBudgetMs }: NextMessagesParts,
): Promise<Next> {
  const { merchantId, timeZone, limitOn, isFull, takenOn, sendingSince } = merchant
  const zone = localTime(timeZone)
  const today = zone.dayOf(now)
  const until = zone.instantOf(addDays(today, shownDays), '00:00')
  const schedule = plannedSchedule(merchant.settings.reminders.schedule)
  const takenAt = (at: Instant) => (isFull(at) ? Infinity : takenOn(zone.dayOf(at)))
  const plan = countedForecast({ merchantId, timeZone, sendingSince, limitOn, takenAt }, schedule)
  const found: Found[] = []
  const due = await nextClients(merchantId, maxClients + 1, until)
  const deadline = performance.now() + budgetMs
  let planned = 0
  for (let first = 0; first < Math.min(due.length, maxClients); first += readAtOnce) {
    if (performance.now() > deadline) break
    const ids = due.slice(first, Math.min(first + readAtOnce, maxClients))
    const clientIds = ids.map(({ clientId }) => clientId)
    const read = await queries.owingClientsAmong(merchantId, { clientIds })
    const place = new Map(clientIds.map((id, index) => [id, index]))
    const clients = read.toSorted(
      (a, b) => (place.get(a.clientId) ?? 0) - (place.get(b.clientId) ?? 0),
    )
    const all = await forecastClientsOf(queries, merchantId, clients, timeZone)
    for (let index = 0; index < clients.length; index += plannedAtOnce) {
      const some = all.slice(index, index + plannedAtOnce)
      for (const each of plan(some, { from: now, until })) {
        const client = clients.find(({ clientId }) => clientId === each.clientId)
        const asPlanned = some.find(({ clientId }) => clientId === each.clientId)
        if (client && asPlanned) found.push({ ...each, client, asPlanned: asPlanned.client })
      }
      await setImmediate()
    }
    planned = first + ids.length
  }
  const isWhole = planned === due.length
  const rest = due[planned]?.dueAt
  const complete = isWhole || rest === undefined ? addDays(today, shownDays) : zone.dayOf(rest)
  const days = Array.from({ length: shownDays }, (_, index) => addDays(today, index)).filter(
    (day) => day < complete || day === today,
  )
  return answerOf(days, found, (day) => isSendingDay(schedule, day))
}

interface Found extends Forecast {
  readonly client: OwingClient
  readonly asPlanned: ForecastClient['client']
}

function answerOf(
  days: readonly Day[],
  all: readonly Found[],
  isSending: (day: Day) => boolean,
): Next {
  const byDay = new Map<Day, { -readonly [Key in keyof ShownDay]: ShownDay[Key] }>(
    days.map((day) => [day, { day, isSendingDay: isSending(day), mails: 0, texts: 0, skipped: 0 }]),
  )
  const messages: Next['messages'] = []
  const notSent: Next['notSent'] = []
  const found = all.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  for (const { at, message, skips, client, asPlanned } of found) {
    const { clientId } = client
    const of = { clientId, clientName: shownText(client.name) }
    const day = message === null ? undefined : byDay.get(message.day)
    if (message !== null && day !== undefined) {
      const { channel, tone } = message
      day[channel === 'mail' ? 'mails' : 'texts'] += 1
      const invoices = message.steps.flatMap((step) =>
        invoiceOf(client, step.receivableId, reasonOfStep(step, message, asPlanned)),
      )
      messages.push({ day: message.day, at, ...of, channel, tone, invoices })
    }
    const ends = byDay.get(localTime(asPlanned.timeZone).dayOf(at))
    if (ends === undefined) continue
    for (const { steps, why } of skips)
      for (const { receivableId, channel, tone } of steps) {
        ends.skipped += 1
        for (const invoice of invoiceOf(client, receivableId, `${skipInWords(why)}.`))
          notSent.push({ day: ends.day, ...of, channel, tone, ...invoice })
      }
  }
  return {
    stillness: null,
    days: [...byDay.values()],
    messages: messages.slice(0, namedMessages),
    notSent: notSent.slice(0, namedSteps),
  }
}

/** Nothing of an invoice that is not owed. */
function invoiceOf(client: OwingClient, receivableId: string, reason: string) {
  const owed = client.owed.find((each) => each.receivableId === receivableId)
  if (owed === undefined) return []
  const { number, open, currency } = owed
  return [{ receivableId, number, open, currency, reason }]
}
