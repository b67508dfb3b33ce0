import type { SchedulePreview } from '#contracts/receivables/schedule'
import { addDays, type Day } from '#services/finance/calendar'
import { dayOf } from '../day-of.ts'
import type { Forecast, ForecastClient } from '../reminders/forecast.ts'
import type { Schedule as PlannedSchedule } from '../reminders/schedule.ts'
import { isSendingDay } from '../reminders/sending-times.ts'
import type { OwingClient } from './owing-client.ts'
import { reasonOfStep, skipInWords } from './reason-words.ts'
import type { Schedule } from './schedule.ts'

/** Messages that the answer names. The counts have all of them. */
const namedMessages = 500

type Message = SchedulePreview['messages'][number]

/** Collects forecasts into the answer. */
export function emptyPreview(
  days: readonly Day[],
  schedule: PlannedSchedule,
  {
    dailyLimit,
    moved,
  }: Pick<SchedulePreview, 'dailyLimit'> & { readonly moved: Schedule['steps'] },
) {
  const [today] = days
  const past = new Map(moved.map(({ stepId }) => [stepId, 0]))
  let catchUps = 0
  let replaced = 0
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
      planned: readonly ForecastClient[],
      forecasts: readonly Forecast[],
      before: readonly Forecast[] | null,
    ): void {
      from.clients += clients.length
      from.invoices += clients.reduce((sum, { owed }) => sum + owed.length, 0)
      for (const { stepId, offset } of moved) {
        const isPast = (due: string) => today !== undefined && addDays(dayOf(due), offset) < today
        const owed = clients.flatMap((client) => client.owed)
        const count = owed.filter(({ dueDate }) => isPast(dueDate)).length
        past.set(stepId, (past.get(stepId) ?? 0) + count)
      }
      const known = before === null ? null : new Set(before.flatMap(clientDayOf))
      for (const each of forecasts) {
        const client = clients.find(({ clientId }) => clientId === each.clientId)
        const asPlanned = planned.find(({ clientId }) => clientId === each.clientId)?.client
        const [key] = clientDayOf(each)
        if (client && asPlanned && each.message !== null && key !== undefined) {
          const isAdded = known !== null && !known.has(key)
          messages.push(messageOf(client, asPlanned, each.message, isAdded))
          catchUps += each.message.steps.filter(isCatchUp).length
          replaced += each.message.replaced.length
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
        catchUps,
        replaced,
        dailyLimit,
        past: [...past].map(([stepId, invoices]) => ({ stepId, invoices })),
        computedFrom: from,
        all,
      }
    },
  }
}

const isCatchUp = ({ delays }: NonNullable<Forecast['message']>['steps'][number]): boolean =>
  delays.some(({ kind }) => kind === 'reminders-off' || kind === 'added-later')

/** Nothing, or the client and the day of the message. */
const clientDayOf = ({ clientId, message }: Forecast): readonly string[] =>
  message === null ? [] : [`${clientId} ${message.day}`]

/** A step that was due before today ends today. */
const firstDay = (days: readonly Day[], due: Day | undefined): Day => {
  const [today] = days
  if (today === undefined) throw new Error('A preview has days.')
  return due === undefined || due < today ? today : due
}

function messageOf(
  client: OwingClient,
  asPlanned: ForecastClient['client'],
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
          reason: reasonOfStep(step, message, asPlanned),
        },
      ]
    }),
  }
}
