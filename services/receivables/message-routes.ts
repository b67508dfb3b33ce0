import {
  messageParams,
  messageResponse,
  nextMessagesResponse,
  nextStepsQuery,
  nextStepsResponse,
} from '#contracts/receivables/messages'
import { badRequest } from '#services/http/http-error'
import type { Routes } from '#services/http/routes'
import type { ClientMessages } from './client-messages.ts'
import { givenClient, givenReceivable, unknown } from './given-ids.ts'
import type { MessagesOf } from './messages-of.ts'
import type { ReceivablesQueries } from './receivables-queries.ts'
import type { Receivables } from './receivables-service.ts'

/** Invoices whose next step one call reads: the largest page of the list. */
const maxSteps = 100

/** The messages to a merchant's clients: the words of one, and what goes out next. */
export function messageRoutes({
  receivables,
  clientMessages,
  messagesOf,
  queries,
}: {
  readonly receivables: Pick<Receivables, 'calendarOf'>
  readonly clientMessages: Pick<ClientMessages, 'messageOf'>
  readonly messagesOf: Pick<MessagesOf, 'next' | 'nextSteps'>
  readonly queries: Pick<ReceivablesQueries, 'ready' | 'sentOn'>
}): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/receivables/clients/:clientId/messages/:messageId',
      summary: 'Read a message to a client as it was sent',
      access: 'customer',
      params: messageParams,
      answer: messageResponse,
      alsoAnswers: [404],
      async handle({ params }, { userId }) {
        const message = await clientMessages.messageOf(
          userId,
          givenClient(params.clientId),
          params.messageId,
        )
        if (message === null) throw unknown()
        return message
      },
    })

    route({
      method: 'get',
      path: '/api/receivables/next-messages',
      summary: 'Read the messages that go out next',
      access: 'customer',
      answer: nextMessagesResponse,
      async handle(_input, context) {
        const { userId } = context
        const { today } = await receivables.calendarOf(userId)
        await queries.ready(context)
        const [next, sentToday] = await Promise.all([
          messagesOf.next(userId),
          queries.sentOn(userId, today),
        ])
        return { ...next, sentToday }
      },
    })

    // A call of its own: the list need not wait until the next step of each row is computed.
    route({
      method: 'get',
      path: '/api/receivables/next-steps',
      summary: 'Read the next step of some open invoices',
      access: 'customer',
      query: nextStepsQuery,
      answer: nextStepsResponse,
      async handle({ query }, context) {
        const ids = [...new Set(query.invoices.split(','))]
        if (ids.length > maxSteps)
          throw badRequest('invoices', `has ${ids.length} ids. Send ${maxSteps} at most.`)
        await queries.ready(context)
        const steps = await messagesOf.nextSteps(context.userId, ids.map(givenReceivable))
        return { steps: [...steps] }
      },
    })
  }
}
