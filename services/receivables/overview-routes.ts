import type { UserId } from '#contracts/ids'
import {
  moreNeedsYouResponse,
  overviewQuery,
  receivablesOverview,
  type MoreNeedsYou,
} from '#contracts/receivables/overview'
import type { Day } from '#services/finance/calendar'
import type { Routes } from '#services/http/routes'
import { askedPastDay } from './asked-day.ts'
import { accessOf, type MerchantOf } from './merchant-access.ts'
import type { ReceivablesQueries } from './receivables-queries.ts'
import type { Receivables } from './receivables-service.ts'
import type { Schedules } from './schedule/schedules.ts'

/** What a merchant is owed, as of today or of a past day. */
export function receivablesOverviewRoutes({
  receivables,
  queries,
  merchantOf,
  optOuts,
  schedules,
}: {
  readonly receivables: Pick<Receivables, 'calendarOf'>
  readonly queries: Pick<ReceivablesQueries, 'ready' | 'overview' | 'noStepLeft'>
  readonly merchantOf: MerchantOf
  /** The clients that owe something and stopped messages. */
  readonly optOuts: (merchantId: UserId, today: Day) => Promise<Omit<MoreNeedsYou, 'noStepLeft'>>
  readonly schedules: Pick<Schedules, 'read'>
}): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/receivables/overview',
      summary: 'Read what clients owe the merchant',
      access: 'customer',
      query: overviewQuery,
      answer: receivablesOverview,
      async handle({ query }, context) {
        const { userId } = context
        const { today, timeZone } = await receivables.calendarOf(userId)
        const asOf = askedPastDay('asOf', query.asOf, today)
        await queries.ready(context)
        const merchant = await merchantOf(userId)
        const { isOn, isOnSince } = await schedules.read(userId)
        const { currency } = query
        const overview = await queries.overview(userId, { asOf, currency }, today, context.signal)
        return {
          access: accessOf(merchant),
          merchant: { companyName: merchant.companyName, timeZone, today },
          ...overview,
          reminders: { isOn, since: isOnSince },
        }
      },
    })

    // A call of its own: its time grows with the number of owing clients and open invoices.
    route({
      method: 'get',
      path: '/api/receivables/needs-you',
      summary: 'List clients that stopped messages, and count invoices without a step left',
      access: 'customer',
      answer: moreNeedsYouResponse,
      async handle(_input, context) {
        const { userId } = context
        const { today } = await receivables.calendarOf(userId)
        await queries.ready(context)
        const { schedule } = await schedules.read(userId)
        const [stopped, noStepLeft] = await Promise.all([
          optOuts(userId, today),
          schedule.repeatLastEvery === null
            ? queries.noStepLeft(userId, schedule.steps, today)
            : null,
        ])
        return { ...stopped, noStepLeft }
      },
    })
  }
}
