import {
  addInvoiceRequest,
  addInvoiceResponse,
  invoiceAct,
  invoiceActResponse,
} from '#contracts/receivables/invoice-requests'
import { invoiceResponse } from '#contracts/receivables/invoice'
import { invoicesPage, invoicesQuery } from '#contracts/receivables/invoices'
import { clientParams, receivableParams } from '#contracts/receivables/shared'
import { commandContext } from '#services/http/command-context'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import type { ClientMessages } from './client-messages.ts'
import { givenClient, givenReceivable, unknown } from './given-ids.ts'
import { receivableActOf } from './invoice-act.ts'
import { invoicePage } from './invoice-page.ts'
import { accessOf, assertMayAct, type MerchantOf } from './merchant-access.ts'
import type { MessagesOf } from './messages-of.ts'
import { refuseFarPages } from './pages.ts'
import { refusedAct } from './refusal-answers.ts'
import { openOf } from './receivable-state.ts'
import type { ReceivablesQueries } from './receivables-queries.ts'
import type { Receivables } from './receivables-service.ts'
import { leftStepsOf } from './schedule/left-steps.ts'
import type { Schedules } from './schedule/schedules.ts'

export interface InvoiceRoutesParts {
  readonly receivables: Receivables
  readonly queries: Pick<ReceivablesQueries, 'ready' | 'invoices' | 'openInvoicesOf'>
  readonly merchantOf: MerchantOf
  readonly clientMessages: Pick<ClientMessages, 'eventsOf'>
  readonly messagesOf: Pick<MessagesOf, 'coming'>
  readonly schedules: Pick<Schedules, 'read'>
  readonly limits: Pick<Limits, 'receivableChange'>
}

/** A merchant's invoices: the list, one invoice, and the acts on it. */
export function invoiceRoutes(parts: InvoiceRoutesParts): Routes {
  const { receivables, queries, merchantOf, limits, clientMessages, messagesOf, schedules } = parts
  return (route) => {
    route({
      method: 'get',
      path: '/api/receivables/invoices',
      summary: "List the merchant's invoices",
      access: 'customer',
      query: invoicesQuery,
      answer: invoicesPage,
      async handle({ query }, context) {
        refuseFarPages(query)
        const { today } = await receivables.calendarOf(context.userId)
        await queries.ready(context)
        const schedule = await leftStepsOf(schedules, context.userId, query)
        return queries.invoices(context.userId, { ...query, schedule }, today, context.signal)
      },
    })

    route({
      method: 'get',
      path: '/api/receivables/invoices/:receivableId',
      summary: 'Read an invoice with its history',
      access: 'customer',
      params: receivableParams,
      answer: invoiceResponse,
      alsoAnswers: [404],
      async handle({ params }, context) {
        const { userId } = context
        const found = await receivables.receivableOf(userId, givenReceivable(params.receivableId))
        if (found === null) throw unknown()
        const client = await receivables.clientOf(userId, found.state.clientId)
        if (client === null) throw unknown()
        const { today, timeZone } = await receivables.calendarOf(userId)
        await queries.ready(context)
        const { clientId } = client.state
        const [open, reminders, coming] = await Promise.all([
          queries.openInvoicesOf(userId, clientId, today),
          clientMessages.eventsOf(clientId),
          messagesOf.coming(userId, clientId),
        ])
        return invoicePage({
          ...found,
          client: client.state,
          open,
          reminders,
          coming,
          numberOf: (id) =>
            open.openInvoices.find(({ receivableId }) => receivableId === id)?.number ?? null,
          access: accessOf(await merchantOf(userId)),
          today,
          timeZone,
        })
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/clients/:clientId/invoices',
      appends: 'receivable',
      summary: 'Add an invoice of a client',
      access: 'customer',
      params: clientParams,
      body: addInvoiceRequest,
      answer: addInvoiceResponse,
      alsoAnswers: [403, 404, 409, 429],
      async handle({ params, body }, context) {
        const { userId } = context
        const clientId = givenClient(params.clientId)
        await limits.receivableChange.spend(userId)
        assertMayAct(await merchantOf(userId))
        const { number, currency, ...details } = body
        const done = await receivables.addReceivable(
          userId,
          { clientId, number, currency, details },
          commandContext(context, { kind: 'customer', id: userId }),
        )
        if (done.kind === 'refused') throw refusedAct(done.refusal, currency)
        context.customer.remember(done.position)
        return { receivableId: done.receivableId }
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/invoices/:receivableId/acts',
      appends: 'receivable',
      summary: 'Act on an invoice',
      access: 'customer',
      params: receivableParams,
      body: invoiceAct,
      answer: invoiceActResponse,
      alsoAnswers: [403, 404, 409, 429],
      async handle({ params, body }, context) {
        const { userId } = context
        const receivableId = givenReceivable(params.receivableId)
        await limits.receivableChange.spend(userId)
        assertMayAct(await merchantOf(userId))
        const command = commandContext(context, { kind: 'customer', id: userId })
        const done =
          body.type === 'apply-credit'
            ? await receivables.useCredit(userId, receivableId, body, command)
            : await receivables.actOnReceivable(
                userId,
                receivableId,
                receivableActOf(body, command.commandId),
                command,
              )
        if (done.kind === 'refused') {
          const found = await receivables.receivableOf(userId, receivableId)
          throw refusedAct(done.refusal, found?.state.currency ?? null)
        }
        context.customer.remember(done.position)
        if (done.state.kind === 'none') throw unknown()
        return { receivableId, open: openOf(done.state), version: done.state.version }
      },
    })
  }
}
