import { setImmediate } from 'node:timers/promises'
import type { UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { SchedulePreview } from '#contracts/receivables/schedule'
import { addDays, numberOfDay, type Day } from '#services/finance/calendar'
import type { TimeZone } from '#services/finance/time-zone'
import { weekdayOf } from '#services/foundation/federal-holidays'
import { forecast, type Forecast, type ForecastMerchant } from '../reminders/forecast.ts'
import { localTime } from '../reminders/local-time.ts'
import type { Schedule as PlannedSchedule } from '../reminders/schedule.ts'
import {
  forecastClientOf,
  obstaclesOf,
  type OwingClient,
  type OwingQueries,
} from './owing-client.ts'
import { isWeekday, plannedSchedule } from './planned-schedule.ts'
import { reasonOfStep, skipInWords } from './reason-words.ts'
import type { Schedule } from './schedule.ts'

const previewedDays = 30
/** Messages that the answer names. The counts have all of them. */
const namedMessages = 500
/** Clients that are read at a time, and planned without other work in between. */
const [readAtOnce, plannedAtOnce] = [250, 5]
/** Milliseconds. A merchant with more clients gets a preview of the first ones. */
const defaultBudgetMs = 4_000

export interface PreviewRequest {
  readonly merchantId: UserId
  readonly draft: Schedule
  /** The saved schedule, if the draft differs: messages that only the draft sends are marked. */
  readonly saved: Schedule | null
  readonly timeZone: TimeZone
  readonly now: Instant
  /** The most clients in a day. */
  readonly dailyLimit: number
  readonly budgetMs?: number
}

/**
 * What a draft sends in the next 30 days, if nothing is paid and reminders are on from now. The
 * clients are planned in the order of their ids, a few at a time, so that other requests are
 * answered meanwhile. If the limit of a day is reached, the earlier ids have their turn first.
 */
export async function previewOf(
  queries: OwingQueries,
  { merchantId, draft, saved, timeZone, now, dailyLimit, budgetMs }: PreviewRequest,
): Promise<SchedulePreview> {
  const zone = localTime(timeZone)
  const today = zone.dayOf(now)
  const days = Array.from({ length: previewedDays }, (_, index) => addDays(today, index))
  const until = zone.instantOf(addDays(today, previewedDays), '00:00')
  const deadline = performance.now() + (budgetMs ?? defaultBudgetMs)
  const planned = plannedSchedule(draft)
  const forDraft = counting({ merchantId, timeZone, sendingSince: now, dailyLimit }, planned)
  const forSaved =
    saved === null
      ? null
      : counting({ merchantId, timeZone, sendingSince: now, dailyLimit }, plannedSchedule(saved))
  const preview = emptyPreview(days, planned)
  const all = await queries.owingCounts(merchantId)

  let after = ''
  for (;;) {
    const page = await queries.owingClients(merchantId, { after, most: readAtOnce })
    for (let index = 0; index < page.length; index += plannedAtOnce) {
      if (performance.now() > deadline) return preview.answer(all)
      const clients = page.slice(index, index + plannedAtOnce)
      const asPlanned = clients.map((client) => forecastClientOf(client, timeZone))
      const before = forSaved?.(asPlanned, { from: now, until }) ?? null
      preview.add(clients, forDraft(asPlanned, { from: now, until }), before)
      await setImmediate()
    }
    const last = page.at(-1)
    if (last === undefined || page.length < readAtOnce) return preview.answer(all)
    after = last.clientId
  }
}

/** Forecasts of some clients after others: the messages of all of them count for a day. */
function counting(
  {
    dailyLimit,
    ...merchant
  }: Pick<ForecastMerchant, 'merchantId' | 'timeZone' | 'sendingSince'> & {
    readonly dailyLimit: number
  },
  schedule: PlannedSchedule,
) {
  const counts = new Map<Day, number>()
  const zone = localTime(merchant.timeZone)
  return (
    clients: Parameters<typeof forecast>[1],
    times: Parameters<typeof forecast>[2],
  ): readonly Forecast[] => {
    const forecasts = forecast(
      {
        ...merchant,
        schedule,
        limitOn: () => dailyLimit,
        clientsOn: (day) => counts.get(day) ?? 0,
      },
      clients,
      times,
    )
    for (const { at, message } of forecasts) {
      const day = zone.dayOf(at)
      if (message !== null) counts.set(day, (counts.get(day) ?? 0) + 1)
    }
    return forecasts
  }
}

type Message = SchedulePreview['messages'][number]

/** Collects forecasts into the answer. */
function emptyPreview(days: readonly Day[], schedule: PlannedSchedule) {
  const byDay = new Map(
    days.map((day) => [
      day,
      { day, isSendingDay: isSendingDay(schedule, day), mails: 0, texts: 0, added: 0, skipped: 0 },
    ]),
  )
  const messages: Message[] = []
  const skipped = new Map<string, number>()
  const reached = new Set<string>()
  const from = { clients: 0, invoices: 0 }

  return {
    add(
      clients: readonly OwingClient[],
      forecasts: readonly Forecast[],
      before: readonly Forecast[] | null,
    ): void {
      from.clients += clients.length
      from.invoices += clients.reduce((sum, { owed }) => sum + owed.length, 0)
      const known = before === null ? null : new Set(before.flatMap(clientDayOf))
      for (const each of forecasts) {
        const client = clients.find(({ clientId }) => clientId === each.clientId)
        const [key] = clientDayOf(each)
        if (client !== undefined && each.message !== null && key !== undefined) {
          const isAdded = known !== null && !known.has(key)
          messages.push(messageOf(client, each.message, isAdded))
          reached.add(each.clientId)
          const day = byDay.get(each.message.day)
          if (day !== undefined) {
            day[each.message.channel === 'mail' ? 'mails' : 'texts'] += 1
            day.added += isAdded ? 1 : 0
          }
        }
        for (const { why, steps } of each.skips) {
          const reason = skipInWords(why)
          skipped.set(reason, (skipped.get(reason) ?? 0) + steps.length)
          const day = byDay.get(firstDay(days, steps[0]?.dueDay))
          if (day !== undefined) day.skipped += steps.length
        }
      }
    },

    answer(all: SchedulePreview['all']): SchedulePreview {
      const shown = [...byDay.values()]
      const sum = (pick: (day: (typeof shown)[number]) => number, of = shown) =>
        of.reduce((total, day) => total + pick(day), 0)
      messages.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
      return {
        days: shown,
        messages: messages.slice(0, namedMessages),
        goesOut: {
          mails: sum(({ mails }) => mails),
          texts: sum(({ texts }) => texts),
          clients: reached.size,
        },
        skipped: [...skipped]
          .map(([reason, steps]) => ({ reason, steps }))
          .toSorted((a, b) => b.steps - a.steps),
        firstWeek: sum(({ mails, texts }) => mails + texts, shown.slice(0, 7)),
        computedFrom: from,
        all,
      }
    },
  }
}

/** Nothing, or the client and the day of the message. */
const clientDayOf = ({ clientId, message }: Forecast): readonly string[] =>
  message === null ? [] : [`${clientId} ${message.day}`]

/** A step that was due before today ends today. */
const firstDay = (days: readonly Day[], due: Day | undefined): Day => {
  const [today] = days
  if (today === undefined) throw new Error('A preview has days.')
  return due === undefined || due < today ? today : due
}

function isSendingDay({ sendingDays, daysOff }: PlannedSchedule, day: Day): boolean {
  // 0 is Sunday there.
  const weekday = weekdayOf(numberOfDay(day)) || 7
  return isWeekday(weekday) && sendingDays.has(weekday) && !daysOff.has(day)
}

function messageOf(
  client: OwingClient,
  message: NonNullable<Forecast['message']>,
  isAdded: boolean,
): Message {
  const { day, channel, tone, steps } = message
  return {
    day,
    clientId: client.clientId,
    clientName: client.name,
    channel,
    tone,
    isAdded,
    invoices: steps.flatMap((step) => {
      const owed = client.owed.find(({ receivableId }) => receivableId === step.receivableId)
      if (owed === undefined) return []
      const { receivableId, number, open, currency } = owed
      return [
        {
          receivableId,
          number,
          open,
          currency,
          reason: reasonOfStep(step, message, obstaclesOf(client)),
        },
      ]
    }),
  }
}
