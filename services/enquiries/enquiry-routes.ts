import { createHash } from 'node:crypto'
import { z } from 'zod'
import { updateEnquiryRequest, updateEnquiryResponse } from '#contracts/admin/enquiries'
import { submitEnquiryRequest, submitEnquiryResponse, type EnquiryForm } from '#contracts/enquiries'
import { isEnquiryId, parseEnquiryId } from '#contracts/ids'
import { hmacInUse, type EmailKeys } from '#services/accounts/email-keys'
import type { RecipientBudget } from '#services/accounts/recipient-budget'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { enquiryStream } from '#services/foundation/stream-names'
import { commandContext } from '#services/http/command-context'
import type { RequestContext } from '#services/http/endpoint'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import { enquiryDecider } from './enquiry-decider.ts'

export interface EnquiryParts {
  readonly commands: CommandHandler
  readonly limits: Pick<Limits, 'enquiry'>
  /** The business clock. */
  readonly clock: Clock
  readonly emailKeys: EmailKeys
  readonly recipients: Pick<RecipientBudget, 'spendConfirmation'>
}

/** The contact form, and the administrator's change of an enquiry's status. */
export function enquiryRoutes({
  commands,
  limits,
  clock,
  emailKeys,
  recipients,
}: EnquiryParts): Routes {
  const now = () => clock.now().toISOString()

  return (route) => {
    route({
      method: 'post',
      path: '/api/enquiries',
      appends: 'enquiry',
      summary: 'Send an enquiry with the contact form',
      access: 'public',
      body: submitEnquiryRequest,
      answer: submitEnquiryResponse,
      alsoAnswers: [429],
      async handle({ body: { website, ...form } }, context) {
        // Counted before the work, so that requests at the same time count too.
        await limits.enquiry.spend(context.network)
        if (website !== '') {
          context.log.warn('An enquiry with a filled hidden field was discarded.')
          return {}
        }
        let confirmation: Awaited<ReturnType<typeof recipients.spendConfirmation>> = null
        try {
          confirmation = await recipients.spendConfirmation(form.email, context.network)
          await submit(form, confirmation !== null, context)
        } catch (error) {
          await limits.enquiry.refund(context.network)
          await confirmation?.()
          throw error
        }
        return {}
      },
    })

    route({
      method: 'patch',
      path: '/api/admin/enquiries/:id',
      appends: 'administrator',
      summary: 'Set the status of an enquiry',
      access: 'admin',
      right: 'enquiries',
      params: z.object({ id: z.string().min(1).max(64) }),
      body: updateEnquiryRequest,
      answer: updateEnquiryResponse,
      alsoAnswers: [404, 409],
      async handle({ params: { id }, body: { status: to } }, context) {
        if (!isEnquiryId(id)) throw unknownEnquiry(id)
        const { state, position } = await commands.handle({
          decider: enquiryDecider,
          stream: enquiryStream(id),
          command: { type: 'set-enquiry-status', to, at: now() },
          context: commandContext(context, { kind: 'admin', id: context.adminId }),
        })
        if (state.kind === 'unsubmitted') throw unknownEnquiry(id)
        context.admin.remember(position)
        return { enquiry_id: id, status: state.status }
      },
    })
  }

  async function submit(
    form: EnquiryForm,
    isConfirmed: boolean,
    context: RequestContext,
  ): Promise<void> {
    const actor = { kind: 'customer', id: context.customer.userId ?? 'visitor' } as const
    const command = commandContext(context, actor)
    const enquiryId = enquiryIdOf(command.commandId)
    await emailKeys.hold(() =>
      commands.handle({
        decider: enquiryDecider,
        stream: enquiryStream(enquiryId),
        command: {
          type: 'submit-enquiry',
          enquiry: {
            addressHmac: hmacInUse(emailKeys, form.email),
            firstName: form.first_name,
            lastName: form.last_name,
            email: form.email,
            phoneNumber: form.phone_number,
            message: form.message,
            goals: form.goals,
            ...(isConfirmed ? {} : { confirmation: 'withheld' as const }),
          },
          at: now(),
        },
        context: command,
      }),
    )
    context.log.info({ enquiryId }, 'An enquiry was recorded.')
  }
}

/** A repeat of the call is the same command, so it is the same enquiry. */
function enquiryIdOf(commandId: string) {
  const hash = createHash('sha256').update(commandId).digest('hex')
  return parseEnquiryId(`enquiry_${hash.slice(0, 24)}`)
}

function unknownEnquiry(id: string): HttpError {
  return new HttpError(404, `There is no enquiry ${id}. Refresh the list.`)
}
