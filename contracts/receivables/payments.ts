import { z } from 'zod'
import { paragraphs, trimmed } from '../form-text.ts'
import { instant } from '../instant.ts'
import { nameContracts } from '../name-contracts.ts'
import { openEnum } from '../open-enum.ts'
import { linkProblemInWords, problemOfGatewayLink } from './gateway-link.ts'
import { receivablesAccess } from './shared.ts'

/* How the clients of a merchant pay: an account at the payment provider, a link, instructions. */

/**
 * - `none`: there was never an account.
 * - `unfinished`: the merchant has not completed the provider's form.
 * - `asked`: the provider wants more answers before clients can pay.
 * - `in-review`: the provider has the answers and does not let clients pay yet.
 * - `no-payouts`: clients can pay, and the provider keeps the money for the present.
 * - `active`: clients can pay.
 * - `disconnected`: the merchant disconnected the account.
 * - `lost`: the access was removed at the provider.
 * - `rejected`: the provider wants no business with the account.
 */
const accountStates = [
  'none',
  'unfinished',
  'asked',
  'in-review',
  'no-payouts',
  'active',
  'disconnected',
  'lost',
  'rejected',
] as const

const account = z.object({
  state: openEnum(accountStates),
  /** What the provider asks for now. Null: it was not asked, or there is no account. */
  needs: z
    .object({
      /** Answers of the merchant. */
      asked: z.int().min(0),
      /** The time for some of them is over. */
      isOverdue: z.boolean(),
      /** When the provider restricts the account without them. Null: it named no time. */
      until: instant.nullable(),
    })
    .nullable(),
  /** The provider's id. Send it with the disconnection. Null without an account. */
  accountId: z.string().nullable(),
  /** Since the account is as it is. Null: there was never one. */
  since: instant.nullable(),
})

/** `GET /api/receivables/payments`, and the answer of each change. */
export const paymentSettingsResponse = z.object({
  access: receivablesAccess,
  /** The payment provider's name, as people know it. */
  provider: z.string(),
  account,
  /** In hundredths of a percent of a payment: 500 is 5%. Null without a plan. */
  feeBasisPoints: z.int().min(0).nullable(),
  gatewayLink: z.string().nullable(),
  instructions: z.string().nullable(),
  /** Whether clients can pay in one of the three ways. */
  hasWay: z.boolean(),
})

/** An address of the provider, for this press of the button only. */
export const accountPageResponse = z.object({ url: z.url() })

/** `POST /api/receivables/payments/account/disconnect`: of the account that the page showed. */
export const disconnectAccountRequest = z.strictObject({ accountId: z.string().max(300) })

const link = trimmed.superRefine((text, check) => {
  const problem = problemOfGatewayLink(text)
  if (problem !== null) check.addIssue({ code: 'custom', message: linkProblemInWords(problem) })
})

/** What the form showed before: a change of another window is not replaced. */
const seen = z.string().max(2_000).nullable()

/** `POST /api/receivables/payments/link`. Null removes the link. */
export const changeGatewayLinkRequest = z.strictObject({ link: link.nullable(), seen })

/** `POST /api/receivables/payments/instructions`. Null removes them. */
export const changeInstructionsRequest = z.strictObject({
  text: paragraphs('The text', 2_000).min(1, 'Write the text, or remove it.').nullable(),
  seen,
})

export type PaymentAccount = z.infer<typeof account>
export type PaymentSettings = z.infer<typeof paymentSettingsResponse>
export type ChangeGatewayLinkRequest = z.input<typeof changeGatewayLinkRequest>
export type ChangeInstructionsRequest = z.input<typeof changeInstructionsRequest>

nameContracts({
  PaymentSettings: paymentSettingsResponse,
  PaymentAccountPage: accountPageResponse,
  DisconnectPaymentAccountRequest: disconnectAccountRequest,
  ChangeGatewayLinkRequest: changeGatewayLinkRequest,
  ChangePayInstructionsRequest: changeInstructionsRequest,
})
