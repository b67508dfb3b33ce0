import { daysOfPaying } from '#contracts/receivables/paying'
import {
  changeScheduleRequest,
  changeScheduleResponse,
  schedulePreviewRequest,
  schedulePreviewResponse,
  remindersTurnedResponse,
  scheduleResponse,
  stepResultsResponse,
} from '#contracts/receivables/schedule'
import type { UserId } from '#contracts/ids'
import { problemOfSchedule } from '#contracts/receivables/schedule-rules'
import { addDays } from '#services/finance/calendar'
import { parseTimeZone, type TimeZone } from '#services/finance/time-zone'
import type { Clock } from '#services/foundation/clock'
import { commandContext } from '#services/http/command-context'
import type { RequestContext } from '#services/http/endpoint'
import { badRequest } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import { accessOf, assertMayAct, type MerchantOf } from './merchant-access.ts'
import { refusedMerchantAct } from './merchant-refusals.ts'
import type { ReceivablesQueries } from './receivables-queries.ts'
import type { Receivables } from './receivables-service.ts'
import { dailyLimit } from './schedule/daily-limit.ts'
import { federalHolidays } from './schedule/federal-holidays.ts'
import { longestWaitDays } from './reminders/plan-client.ts'
import type { OwingQueries, StopsOf } from './schedule/owing-client.ts'
import { previewOf } from './schedule/preview.ts'
import { scheduleFrom } from './schedule/reminder-settings.ts'
import type { Schedules } from './schedule/schedules.ts'
import type { MerchantDays } from './sending/merchant-days.ts'
import type { ContactStops } from './stops/contact-stops.ts'

/** When and how a merchant's clients are reminded. */
export function scheduleRoutes({
  schedules,
  receivables,
  merchantOf,
  limits,
  queries,
  stops,
  days,
  textNumberOf,
  clock,
}: {
  readonly schedules: Schedules
  readonly receivables: Pick<Receivables, 'calendarOf'>
  readonly merchantOf: MerchantOf
  readonly limits: Pick<Limits, 'customerChange' | 'schedulePreview'>
  readonly queries: Pick<ReceivablesQueries, 'ready' | 'stepResults'> & OwingQueries
  readonly stops: Pick<ContactStops, 'manyStopsOf'>
  readonly days: Pick<MerchantDays, 'countsOf'>
  readonly textNumberOf: StopsOf['textNumberOf']
  /** The business clock. */
  readonly clock: Clock
}): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/receivables/schedule',
      summary: "Read the merchant's schedule of reminders",
      access: 'customer',
      answer: scheduleResponse,
      async handle(_input, { userId }) {
        const settings = await schedules.read(userId)
        const merchant = await merchantOf(userId)
        const { today, timeZone } = await receivables.calendarOf(userId)
        const year = Number(today.slice(0, 4))
        return {
          access: accessOf(merchant),
          companyName: merchant.companyName,
          schedule: settings.schedule,
          timeZone,
          today,
          version: settings.version,
          savedAt: settings.savedAt,
          isOn: settings.isOn,
          isOnSince: settings.isOnSince,
          stopped:
            settings.stoppedBecause === null || settings.stoppedAt === null
              ? null
              : { reason: settings.stoppedBecause, at: settings.stoppedAt },
          holidays: [...federalHolidays(year, year + 1)],
        }
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/schedule',
      appends: 'schedule',
      summary: "Change the merchant's schedule of reminders",
      access: 'customer',
      body: changeScheduleRequest,
      answer: changeScheduleResponse,
      alsoAnswers: [403, 409, 429],
      async handle({ body: { schedule, timeZone, basedOn } }, context) {
        const { userId } = context
        await limits.customerChange.spend(userId)
        assertMayAct(await merchantOf(userId))
        const wanted = askedZone(timeZone)
        const known = await receivables.calendarOf(userId)
        const done = await schedules.act(
          userId,
          {
            type: 'change-schedule',
            schedule,
            timeZone: wanted === known.timeZone ? null : wanted,
            basedOn,
          },
          commandContext(context, { kind: 'customer', id: userId }),
        )
        if (done.kind === 'refused') throw refusedMerchantAct(done.refusal)
        context.customer.remember(done.position)
        return { version: done.settings.version }
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/schedule/preview',
      appends: 'schedule preview',
      summary: 'Read what a draft of a schedule would send in 30 days',
      access: 'customer',
      body: schedulePreviewRequest,
      answer: schedulePreviewResponse,
      alsoAnswers: [409, 429],
      async handle({ body }, context) {
        const { userId } = context
        await limits.schedulePreview.spend(userId)
        const timeZone = askedZone(body.timeZone)
        const problem = problemOfSchedule(body.schedule)
        if (problem !== null) throw refusedMerchantAct(problem)
        await queries.ready(context)
        const settings = await schedules.read(userId)
        const now = clock.now().toISOString()
        const { schedule, isEqual } = scheduleFrom(body.schedule, settings.schedule, now)
        const { owingClients, owingCounts } = queries
        const { today } = await receivables.calendarOf(userId)
        const { manyStopsOf } = stops
        return previewOf(
          { owingClients, owingCounts, manyStopsOf, textNumberOf },
          {
            merchantId: userId,
            draft: schedule,
            saved: isEqual ? null : settings.schedule,
            timeZone,
            now,
            sendingSince: settings.sendingSince ?? now,
            limitOn: dailyLimit(settings.limits, settings.firstOn ?? now, timeZone),
            places: await days.countsOf(userId, addDays(today, -longestWaitDays)),
          },
        )
      },
    })

    route({
      method: 'get',
      path: '/api/receivables/schedule/results',
      summary: 'Read how often the steps went out, and what followed',
      access: 'customer',
      answer: stepResultsResponse,
      async handle(_input, context) {
        const { userId } = context
        const { today } = await receivables.calendarOf(userId)
        await queries.ready(context)
        const since = addDays(today, -daysOfPaying)
        return { since, steps: [...(await queries.stepResults(userId, since))] }
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/schedule/turn-on',
      appends: 'schedule',
      summary: 'Turn reminders on',
      access: 'customer',
      answer: remindersTurnedResponse,
      alsoAnswers: [403, 409, 429],
      async handle(_input, context) {
        await limits.customerChange.spend(context.userId)
        assertMayAct(await merchantOf(context.userId))
        return turn('turn-reminders-on', context)
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/schedule/turn-off',
      appends: 'schedule',
      summary: 'Turn reminders off',
      access: 'customer',
      answer: remindersTurnedResponse,
      alsoAnswers: [409, 429],
      // Without a plan, too: it only takes something away.
      async handle(_input, context) {
        await limits.customerChange.spend(context.userId)
        return turn('turn-reminders-off', context)
      },
    })
  }

  async function turn(
    type: 'turn-reminders-on' | 'turn-reminders-off',
    context: RequestContext & { readonly userId: UserId },
  ): Promise<{ isOn: boolean }> {
    const { userId } = context
    const command = commandContext(context, { kind: 'customer', id: userId })
    const done = await schedules.act(userId, { type }, command)
    if (done.kind === 'refused') throw refusedMerchantAct(done.refusal)
    context.customer.remember(done.position)
    return { isOn: done.settings.isOn }
  }
}

/** @throws HttpError 400 */
function askedZone(text: string): TimeZone {
  const zone = parseTimeZone(text)
  if (zone !== null) return zone
  throw badRequest('timeZone', 'is unknown. Send an IANA name, such as America/Chicago.')
}
