import {
  messageParams,
  sendNowPreviewResponse,
  sendNowRequest,
  sendNowResponse,
  settleMessageResponse,
  skipStepRequest,
  skipStepResponse,
} from '#contracts/receivables/messages'
import { clientParams, receivableParams } from '#contracts/receivables/shared'
import { commandContext } from '#services/http/command-context'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import { givenClient, givenReceivable, unknown } from './given-ids.ts'
import { assertMayAct, type MerchantOf } from './merchant-access.ts'
import type { Receivables } from './receivables-service.ts'
import type { ByHand } from './sending/by-hand.ts'

export interface ByHandRoutesParts {
  readonly byHand: ByHand
  readonly receivables: Pick<Receivables, 'receivableOf'>
  readonly merchantOf: MerchantOf
  readonly limits: Pick<Limits, 'receivableChange' | 'messagePreview'>
}

/** Messages that a merchant sends now, and steps that it skips. */
export function byHandRoutes({
  byHand,
  receivables,
  merchantOf,
  limits,
}: ByHandRoutesParts): Routes {
  return (route) => {
    route({
      method: 'post',
      path: '/api/receivables/clients/:clientId/send-now/preview',
      appends: 'preview',
      summary: 'Read what would be sent to a client now',
      access: 'customer',
      params: clientParams,
      answer: sendNowPreviewResponse,
      alsoAnswers: [404, 429],
      async handle({ params }, { userId }) {
        await limits.messagePreview.spend(userId)
        const preview = await byHand.preview(userId, givenClient(params.clientId))
        if (preview === null) throw unknown()
        return preview
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/clients/:clientId/send-now',
      appends: 'message',
      summary: 'Send a message to a client now',
      access: 'customer',
      params: clientParams,
      body: sendNowRequest,
      answer: sendNowResponse,
      alsoAnswers: [403, 404, 409, 429],
      async handle({ params, body }, context) {
        const { userId } = context
        const clientId = givenClient(params.clientId)
        await limits.receivableChange.spend(userId)
        assertMayAct(await merchantOf(userId))
        const command = commandContext(context, { kind: 'customer', id: userId })
        const done = await byHand.sendNow(userId, clientId, body.key, command)
        if (done.kind === 'not-found') throw unknown()
        if (done.kind === 'refused') throw new HttpError(409, { error: done.sentence })
        return { messageId: done.messageId }
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/clients/:clientId/messages/:messageId/settle',
      appends: 'message',
      summary: 'Settle a message of which it is not known whether it arrived',
      access: 'customer',
      params: messageParams,
      answer: settleMessageResponse,
      alsoAnswers: [403, 404, 409, 429],
      async handle({ params: { clientId, messageId } }, context) {
        const { userId } = context
        const client = givenClient(clientId)
        await limits.receivableChange.spend(userId)
        assertMayAct(await merchantOf(userId))
        const command = commandContext(context, { kind: 'customer', id: userId })
        const done = await byHand.settleUnknown(userId, client, messageId, command)
        if (done.kind === 'not-found') throw unknown()
        if (done.kind === 'refused') throw new HttpError(409, { error: done.sentence })
        context.customer.remember(done.position)
        return { messageId }
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/invoices/:receivableId/skip-step',
      appends: 'message',
      summary: "Skip a step of an invoice's reminders",
      access: 'customer',
      params: receivableParams,
      body: skipStepRequest,
      answer: skipStepResponse,
      alsoAnswers: [403, 404, 409, 429],
      async handle({ params, body }, context) {
        const { userId } = context
        const receivableId = givenReceivable(params.receivableId)
        await limits.receivableChange.spend(userId)
        assertMayAct(await merchantOf(userId))
        const found = await receivables.receivableOf(userId, receivableId)
        if (found === null) throw unknown()
        const { clientId } = found.state
        const command = commandContext(context, { kind: 'customer', id: userId })
        const done = await byHand.skipStep(userId, { clientId, receivableId }, body, command)
        if (done.kind === 'not-found') throw unknown()
        if (done.kind === 'refused') throw new HttpError(409, { error: done.sentence })
        return { receivableId }
      },
    })
  }
}
