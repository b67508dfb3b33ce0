import type { UserId } from '#contracts/ids'
import { overviewQuery, receivablesOverview, type NeedsYou } from '#contracts/receivables/overview'
import type { Day } from '#services/finance/calendar'
import type { Routes } from '#services/http/routes'
import { askedPastDay } from './asked-day.ts'
import { accessOf, type MerchantOf } from './merchant-access.ts'
import type { ReceivablesQueries } from './receivables-queries.ts'
import type { Receivables } from './receivables-service.ts'

/** Rows that the overview shows. */
const mostNeedsYou = 50

/** What a merchant is owed, as of today or of a past day. */
export function receivablesOverviewRoutes({
  receivables,
  queries,
  merchantOf,
  optOuts,
}: {
  readonly receivables: Pick<Receivables, 'calendarOf'>
  readonly queries: Pick<ReceivablesQueries, 'ready' | 'overview'>
  readonly merchantOf: MerchantOf
  /** The clients that owe something and stopped messages. */
  readonly optOuts: (merchantId: UserId, today: Day) => Promise<readonly NeedsYou[]>
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
        const { currency } = query
        const [overview, stopped] = await Promise.all([
          queries.overview(userId, { asOf, currency }, today, context.signal),
          optOuts(userId, today),
        ])
        return {
          access: accessOf(merchant),
          merchant: { companyName: merchant.companyName, timeZone, today },
          ...overview,
          needsYou: [...overview.needsYou, ...stopped].slice(0, mostNeedsYou),
          needsYouTotal: overview.needsYouTotal + stopped.length,
        }
      },
    })
  }
}
