import { overviewQuery, receivablesOverview } from '#contracts/receivables/overview'
import type { Routes } from '#services/http/routes'
import { askedPastDay } from './asked-day.ts'
import { accessOf, type MerchantOf } from './merchant-access.ts'
import type { ReceivablesQueries } from './receivables-queries.ts'
import type { Receivables } from './receivables-service.ts'

/** What a merchant is owed, as of today or of a past day. */
export function receivablesOverviewRoutes({
  receivables,
  queries,
  merchantOf,
}: {
  readonly receivables: Pick<Receivables, 'calendarOf'>
  readonly queries: Pick<ReceivablesQueries, 'ready' | 'overview'>
  readonly merchantOf: MerchantOf
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
        return {
          access: accessOf(merchant),
          merchant: { companyName: merchant.companyName, timeZone, today },
          ...(await queries.overview(userId, { asOf, currency }, today, context.signal)),
        }
      },
    })
  }
}
