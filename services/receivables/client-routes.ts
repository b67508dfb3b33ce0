import {
  addClientRequest,
  addClientResponse,
  clientAct,
  clientActResponse,
  type ClientAct,
} from '#contracts/receivables/client-requests'
import { clientResponse, clientsPage, clientsQuery } from '#contracts/receivables/clients'
import { clientParams } from '#contracts/receivables/shared'
import { parseReceivableId, type ClientId, type UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import { commandContext } from '#services/http/command-context'
import { badRequest } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import { clientActOf } from './client-act.ts'
import { shownText } from './client-card.ts'
import type { ClientMessages } from './client-messages.ts'
import { clientPage, maxInvoices } from './client-page.ts'
import type { ClientErasure } from './erase-clients.ts'
import { givenClient, unknown } from './given-ids.ts'
import { accessOf, assertMayAct, type MerchantOf } from './merchant-access.ts'
import type { MessagesOf } from './messages-of.ts'
import { refuseFarPages } from './pages.ts'
import { refusedAct } from './refusal-answers.ts'
import type { ReceivablesQueries } from './receivables-queries.ts'
import type { PortalTokens } from './portal/portal-tokens.ts'
import type { Receivables } from './receivables-service.ts'
import type { ContactStops } from './stops/contact-stops.ts'

export interface ClientRoutesParts {
  readonly receivables: Receivables
  readonly queries: Pick<ReceivablesQueries, 'ready' | 'clients' | 'clientFigures'>
  readonly erasure: Pick<ClientErasure, 'eraseClient'>
  readonly merchantOf: MerchantOf
  readonly clientMessages: Pick<ClientMessages, 'eventsOf'>
  readonly messagesOf: Pick<MessagesOf, 'coming'>
  readonly limits: Pick<Limits, 'receivableChange'>
  readonly tokens: Pick<PortalTokens, 'tokenOf'>
  readonly stops: Pick<ContactStops, 'stopsOf'>
  readonly publicUrl: string
}

/** A merchant's clients: the list, one client, and the acts on it. */
export function clientRoutes(parts: ClientRoutesParts): Routes {
  const { receivables, queries, erasure, merchantOf, limits, tokens, stops, publicUrl } = parts
  const { clientMessages, messagesOf } = parts
  return (route) => {
    route({
      method: 'get',
      path: '/api/receivables/clients',
      summary: "List the merchant's clients",
      access: 'customer',
      query: clientsQuery,
      answer: clientsPage,
      async handle({ query }, context) {
        refuseFarPages(query)
        const { today } = await receivables.calendarOf(context.userId)
        await queries.ready(context)
        return queries.clients(context.userId, query, today, context.signal)
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/clients',
      appends: 'receivable',
      summary: 'Add a client',
      access: 'customer',
      body: addClientRequest,
      answer: addClientResponse,
      alsoAnswers: [403, 409, 429],
      async handle({ body }, context) {
        const { userId } = context
        await limits.receivableChange.spend(userId)
        assertMayAct(await merchantOf(userId))
        const done = await receivables.addClient(
          userId,
          body,
          commandContext(context, { kind: 'customer', id: userId }),
        )
        if (done.kind === 'refused') {
          // The account is erased meanwhile.
          assertMayAct(await merchantOf(userId))
          throw refusedAct(done.refusal, null)
        }
        context.customer.remember(done.position)
        return { clientId: done.clientId }
      },
    })

    route({
      method: 'get',
      path: '/api/receivables/clients/:clientId',
      summary: 'Read a client with its history',
      access: 'customer',
      params: clientParams,
      answer: clientResponse,
      alsoAnswers: [404],
      async handle({ params }, context) {
        const { userId } = context
        const found = await receivables.clientOf(userId, givenClient(params.clientId))
        if (found === null) throw unknown()
        const { clientId } = found.state
        const { today, timeZone } = await receivables.calendarOf(userId)
        await queries.ready(context)
        const { latest, ...figures } = await queries.clientFigures(
          userId,
          clientId,
          today,
          maxInvoices,
        )
        const [invoices, reminders, coming] = await Promise.all([
          receivables.listedReceivables(
            userId,
            latest.map((id) => parseReceivableId(id)),
          ),
          clientMessages.eventsOf(clientId),
          messagesOf.coming(userId, clientId),
        ])
        return clientPage({
          ...found,
          figures,
          invoices,
          reminders,
          coming,
          access: accessOf(await merchantOf(userId)),
          portalUrl: `${publicUrl}/pay/${tokens.tokenOf(clientId, found.state.portalGeneration)}`,
          stops: await stops.stopsOf(userId, found.state.details),
          today,
          timeZone,
        })
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/clients/:clientId/acts',
      appends: 'receivable',
      summary: 'Act on a client',
      access: 'customer',
      params: clientParams,
      body: clientAct,
      answer: clientActResponse,
      alsoAnswers: [403, 404, 409, 429],
      async handle({ params, body }, context) {
        const { userId } = context
        const clientId = givenClient(params.clientId)
        await limits.receivableChange.spend(userId)
        const command = commandContext(context, { kind: 'customer', id: userId })
        // Erasing is a duty without a plan, too.
        if (body.type === 'erase') {
          const position = await erase(userId, clientId, body, command)
          context.customer.remember(position)
        } else {
          assertMayAct(await merchantOf(userId))
          const done = await receivables.actOnClient(
            userId,
            clientId,
            clientActOf(body, command.commandId),
            command,
          )
          if (done.kind === 'refused') {
            const currency =
              body.type === 'return-credit'
                ? await currencyOfCredit(userId, clientId, body.creditId)
                : null
            throw refusedAct(done.refusal, currency)
          }
          context.customer.remember(done.position)
        }
        const after = await receivables.clientOf(userId, clientId)
        if (after === null) throw unknown()
        return { clientId, version: after.state.version }
      },
    })
  }

  async function erase(
    userId: UserId,
    clientId: ClientId,
    { name }: Extract<ClientAct, { readonly type: 'erase' }>,
    command: CommandContext,
  ) {
    const found = await receivables.clientOf(userId, clientId)
    if (found === null) throw unknown()
    const { isErased, details } = found.state
    if (!isErased && name.trim() !== shownText(details.name))
      throw badRequest('name', "differs from the client's name. Type it as the page shows it.")
    const erased = await erasure.eraseClient(userId, clientId, command)
    if (erased === null) throw unknown()
    return erased.position
  }

  async function currencyOfCredit(userId: UserId, clientId: ClientId, creditId: string) {
    const found = await receivables.clientOf(userId, clientId)
    return found?.state.credits.get(creditId)?.currency ?? null
  }
}
