import { brand as product } from '#contracts/brand/brand'
import { isReceivableId, type UserId } from '#contracts/ids'
import { templateVariables } from '#contracts/receivables/template-language'
import {
  previewRequest,
  previewResponse,
  restoreTemplateRequest,
  saveTemplatesRequest,
  saveTemplatesResponse,
  templatesResponse,
  type SaveTemplatesRequest,
} from '#contracts/receivables/templates'
import { commandContext } from '#services/http/command-context'
import { badRequest } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import type { Brands } from './brand/brands.ts'
import { messageSender } from './brand/message-sender.ts'
import { dayOf } from './day-of.ts'
import { accessOf, assertMayAct, type MerchantOf } from './merchant-access.ts'
import { refusedMerchantAct } from './merchant-refusals.ts'
import { exampleLinks } from './messages/example-links.ts'
import type { MessageData } from './messages/message-data.ts'
import { previewOf } from './messages/preview.ts'
import { usualData } from './messages/usual-data.ts'
import { openOf } from './receivable-state.ts'
import type { Receivables } from './receivables-service.ts'
import { currentMail, currentTemplate } from './templates/decide-templates.ts'
import type { MerchantTemplates } from './templates/merchant-templates.ts'
import { refusedLength } from './templates/refused-template.ts'

export interface TemplateRoutesParts {
  readonly templates: MerchantTemplates
  readonly brands: Pick<Brands, 'settingsOf'>
  readonly receivables: Pick<Receivables, 'calendarOf' | 'receivableOf' | 'clientOf'>
  readonly merchantOf: MerchantOf
  readonly publicUrl: string
  readonly limits: Pick<Limits, 'customerChange' | 'messagePreview'>
}

/** The words of a merchant's messages, and what they would be for one of its invoices. */
export function templateRoutes(parts: TemplateRoutesParts): Routes {
  const { templates, brands, receivables, merchantOf, publicUrl, limits } = parts

  /** A message that is not sent, about an invented client. */
  async function usualOf(userId: UserId, tone: MessageData['tone']): Promise<MessageData> {
    const { brand } = await brands.settingsOf(userId)
    const { today } = await receivables.calendarOf(userId)
    return usualData({
      sender: messageSender(brand, await merchantOf(userId), publicUrl),
      tone,
      today,
      ...exampleLinks(publicUrl),
    })
  }

  /** Null: there is no such open invoice of a client that is not erased. */
  async function openInvoice(userId: UserId, receivableId: string | null | undefined) {
    if (receivableId == null || !isReceivableId(receivableId)) return null
    const found = await receivables.receivableOf(userId, receivableId)
    if (found === null || openOf(found.state) <= 0) return null
    const client = await receivables.clientOf(userId, found.state.clientId)
    if (client === null || client.state.isErased) return null
    const { number, currency, details } = found.state
    const { issueDate, dueDate, reference, amount } = details
    return {
      clientName: client.state.details.name,
      receivables: [
        {
          number,
          currency,
          issueDate: issueDate === null ? null : dayOf(issueDate),
          dueDate: dayOf(dueDate),
          reference,
          amount,
          open: openOf(found.state),
        },
      ],
    }
  }

  /** @throws HttpError 400 for a text that does not fit */
  async function refuseLongTexts(userId: UserId, { templates: changes }: SaveTemplatesRequest) {
    for (const [index, change] of changes.entries()) {
      if (change.channel !== 'text') continue
      const problem = refusedLength(change.body, await usualOf(userId, change.tone))
      if (problem !== null) throw badRequest(`templates.${index}.body`, problem)
    }
  }

  return (route) => {
    route({
      method: 'get',
      path: '/api/receivables/templates',
      summary: "List the words of the merchant's messages",
      access: 'customer',
      answer: templatesResponse,
      async handle(_input, { userId }) {
        return {
          access: accessOf(await merchantOf(userId)),
          items: [...(await templates.list(userId))],
          variables: Object.entries(templateVariables).map(([name, means]) => ({ name, means })),
        }
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/templates',
      appends: 'words',
      summary: "Change the words of the merchant's messages",
      access: 'customer',
      body: saveTemplatesRequest,
      answer: saveTemplatesResponse,
      alsoAnswers: [403, 409, 429],
      async handle({ body }, context) {
        const { userId } = context
        await limits.customerChange.spend(userId)
        assertMayAct(await merchantOf(userId))
        await refuseLongTexts(userId, body)
        const changes = body.templates.map(({ version: basedOn, ...change }) =>
          change.channel === 'mail'
            ? { ...change, basedOn }
            : { ...change, subject: null, basedOn },
        )
        const command = commandContext(context, { kind: 'customer', id: userId })
        const saved = await templates.save(userId, changes, command)
        if (saved.kind === 'refused') throw refusedMerchantAct(saved.refusal)
        context.customer.remember(saved.position)
        return { items: [...saved.items] }
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/templates/restore',
      appends: 'words',
      summary: 'Restore the original words of a message',
      access: 'customer',
      body: restoreTemplateRequest,
      answer: saveTemplatesResponse,
      alsoAnswers: [403, 409, 429],
      async handle({ body: { version: basedOn, ...key } }, context) {
        const { userId } = context
        await limits.customerChange.spend(userId)
        assertMayAct(await merchantOf(userId))
        const command = commandContext(context, { kind: 'customer', id: userId })
        const saved = await templates.restore(userId, { ...key, basedOn }, command)
        if (saved.kind === 'refused') throw refusedMerchantAct(saved.refusal)
        context.customer.remember(saved.position)
        return { items: [...saved.items] }
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/templates/preview',
      appends: 'preview',
      summary: 'Show a message as it would be sent',
      access: 'customer',
      body: previewRequest,
      answer: previewResponse,
      alsoAnswers: [429],
      async handle({ body }, { userId }) {
        await limits.messagePreview.spend(userId)
        const { tone, brand: drawn } = body
        const settings = await brands.settingsOf(userId)
        const saved = currentMail(settings.templates, tone)
        const usual = await usualOf(userId, tone)
        const real = await openInvoice(userId, body.receivableId)
        const sender = {
          ...usual.sender,
          ...(drawn?.senderName === undefined ? {} : { name: drawn.senderName }),
          ...(drawn?.postalAddress === undefined
            ? {}
            : { address: drawn.postalAddress.split('\n') }),
        }
        return {
          isExample: real === null,
          ...previewOf(
            {
              mail: { subject: body.subject ?? saved.subject, body: body.mail ?? saved.body },
              text:
                body.text ?? currentTemplate(settings.templates, { tone, channel: 'text' }).body,
            },
            { ...usual, ...real, sender },
            usual,
            product.name,
          ),
        }
      },
    })
  }
}
