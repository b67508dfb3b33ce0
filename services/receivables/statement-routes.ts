import type { z } from 'zod'
import type { UserId } from '#contracts/ids'
import { figureEventsQuery, figureEventsResponse } from '#contracts/receivables/figure-events'
import { payingQuery, payingResponse } from '#contracts/receivables/paying'
import { clientParams } from '#contracts/receivables/shared'
import {
  statementQuery,
  statementResponse,
  type StatementResponse,
} from '#contracts/receivables/statement'
import { addDays, type Day } from '#services/finance/calendar'
import { download, file } from '#services/http/answer'
import { badRequest } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { ReadContext } from '#services/http/read-your-writes'
import type { Routes } from '#services/http/routes'
import { makeCounted } from '#services/http/make-counted'
import { askedDay, askedPastDay } from './asked-day.ts'
import { shownText } from './client-card.ts'
import { csvFile, statementHeaders, statementRows } from './csv-files.ts'
import { givenClient, unknown } from './given-ids.ts'
import type { MerchantOf } from './merchant-access.ts'
import type { ReceivablesQueries } from './receivables-queries.ts'
import type { Receivables } from './receivables-service.ts'
import { statementFileOf, type StatementSources } from './statement/statement-file-of.ts'
import { unmadeStatement, type StatementFiles } from './statement/statement-files.ts'

/** Without `from`, a statement begins this many days before its end. */
const daysOfStatement = 90

/** A client's statement as of any past day, and the events that a figure consists of. */
export function statementRoutes({
  receivables,
  queries,
  merchantOf,
  limits,
  brands,
  logos,
  files,
}: Pick<StatementSources, 'brands' | 'logos'> & {
  readonly files: StatementFiles
  readonly receivables: Pick<Receivables, 'calendarOf' | 'clientOf'>
  readonly queries: Pick<
    ReceivablesQueries,
    'ready' | 'statementParts' | 'figureEvents' | 'paying' | 'mainCurrency'
  >
  readonly merchantOf: MerchantOf
  readonly limits: Pick<Limits, 'listExport' | 'statementPdf'>
}): Routes {
  const sources = { queries, brands, logos }
  return (route) => {
    route({
      method: 'get',
      path: '/api/receivables/clients/:clientId/statement',
      summary: 'Read the statement of a client',
      access: 'customer',
      params: clientParams,
      query: statementQuery,
      answer: statementResponse,
      alsoAnswers: [404],
      handle: ({ params, query }, context) =>
        statementOf(context.userId, params.clientId, query, context),
    })

    route({
      method: 'get',
      path: '/api/receivables/clients/:clientId/statement/export',
      work: 'exports',
      summary: 'Export the statement of a client',
      access: 'customer',
      params: clientParams,
      query: statementQuery,
      answer: download(['text/csv'], 'The lines of the statement'),
      alsoAnswers: [404, 429],
      async handle({ params, query }, context) {
        await limits.listExport.spend(context.userId)
        const statement = await statementOf(context.userId, params.clientId, query, context)
        return {
          contentType: 'text/csv',
          fileName: `statement-${statement.asOf}.csv`,
          parts: () =>
            csvFile(statementHeaders, [statement.parts], (part) => statementRows(part, statement)),
        }
      },
    })

    // A call of its own: the overview does not wait for it.
    route({
      method: 'get',
      path: '/api/receivables/paying',
      summary: 'Read how clients pay',
      access: 'customer',
      query: payingQuery,
      answer: payingResponse,
      async handle({ query }, context) {
        const { userId } = context
        const { today } = await receivables.calendarOf(userId)
        const asOf = askedPastDay('asOf', query.asOf, today)
        await queries.ready(context)
        const currency = query.currency ?? (await queries.mainCurrency(userId))
        const { client } = query
        return queries.paying(userId, { asOf, currency, client }, context.signal)
      },
    })

    route({
      method: 'get',
      path: '/api/receivables/clients/:clientId/statement/pdf',
      work: 'downloads',
      summary: 'Download the statement of a client',
      access: 'customer',
      params: clientParams,
      query: statementQuery,
      answer: file('application/pdf', 'The statement as the client gets it'),
      alsoAnswers: [404, 429],
      async handle({ params, query }, context) {
        const merchantId = context.userId
        const clientId = givenClient(params.clientId)
        await limits.statementPdf.spend(merchantId)
        const found = await receivables.clientOf(merchantId, clientId)
        if (found === null) throw unknown()
        const { today } = await receivables.calendarOf(merchantId)
        const asOf = askedPastDay('asOf', query.asOf, today)
        await queries.ready(context)
        const statement = await statementFileOf(sources, {
          merchantId,
          merchant: await merchantOf(merchantId),
          clientId,
          client: found.state,
          asOf,
          ...(query.from !== undefined && { from: firstDay(query.from, asOf) }),
        })
        const counted = { limit: limits.statementPdf, keys: [merchantId] }
        const content = await makeCounted(counted, unmadeStatement, () =>
          files.render(statement, context.signal),
        )
        return { content, fileName: `statement-${asOf}.pdf` }
      },
    })

    route({
      method: 'get',
      path: '/api/receivables/events',
      summary: 'List the events that a figure consists of',
      access: 'customer',
      query: figureEventsQuery,
      answer: figureEventsResponse,
      async handle({ query }, context) {
        const { userId } = context
        const { today } = await receivables.calendarOf(userId)
        const asOf = askedPastDay('asOf', query.asOf, today)
        if (query.figure === 'dso' && query.client !== undefined)
          throw badRequest('client', 'has no figure of its own for days sales outstanding.')
        await queries.ready(context)
        const currency = query.currency ?? (await queries.mainCurrency(userId))
        return queries.figureEvents(userId, { ...query, asOf, today, currency }, context.signal)
      },
    })
  }

  async function statementOf(
    userId: UserId,
    given: string,
    query: z.infer<typeof statementQuery>,
    context: ReadContext,
  ): Promise<StatementResponse> {
    const clientId = givenClient(given)
    const found = await receivables.clientOf(userId, clientId)
    if (found === null) throw unknown()
    const { today } = await receivables.calendarOf(userId)
    const asOf = askedPastDay('asOf', query.asOf, today)
    const from = firstDay(query.from, asOf)
    await queries.ready(context)
    const { details, isErased } = found.state
    const { companyName, address } = await merchantOf(userId)
    return {
      merchant: { companyName, address: [...address] },
      client: {
        clientId,
        name: shownText(details.name),
        number: isErased ? null : details.number,
        email: isErased ? null : details.email,
      },
      today,
      from,
      asOf,
      parts: await queries.statementParts(userId, clientId, { from, asOf }),
    }
  }
}

function firstDay(text: string | undefined, asOf: Day): Day {
  if (text === undefined) return addDays(asOf, -daysOfStatement)
  const from = askedDay('from', text)
  if (from > asOf) throw badRequest('from', 'is after the end of the statement.')
  return from
}
