import type { UserId } from '#contracts/ids'
import {
  optOutsResponse,
  overviewQuery,
  receivablesOverview,
  type OptOuts,
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
  readonly optOuts: (merchantId: UserId, today: Day) => Promise<OptOuts>
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
        const { schedule, isOn, isOnSince } = await schedules.read(userId)
        const { currency } = query
        const [overview, noStepLeft] = await Promise.all([
          queries.overview(userId, { asOf, currency }, today, context.signal),
          schedule.repeatLastEvery === null
            ? queries.noStepLeft(userId, schedule.steps, today)
            : null,
        ])
        return {
          access: accessOf(merchant),
          merchant: { companyName: merchant.companyName, timeZone, today },
          ...overview,
          needsYouTotal: overview.needsYouTotal + (noStepLeft === null ? 0 : 1),
          noStepLeft,
          reminders: { isOn, since: isOnSince },
        }
      },
    })

    // A call of its own: the time that it needs grows with the number of owing clients.
    route({
      method: 'get',
      path: '/api/receivables/opt-outs',
      summary: 'List the clients that owe something and stopped messages',
      access: 'customer',
      answer: optOutsResponse,
      async handle(_input, context) {
        const { userId } = context
        const { today } = await receivables.calendarOf(userId)
        await queries.ready(context)
        return optOuts(userId, today)
      },
    })
  }
}
