import type Stripe from 'stripe'
import { z } from 'zod'
import { addAccountLink, linkLasts } from '../../store/account-links.ts'
import { connectedAccount } from '../connected-account.ts'
import { changing, type Operation } from '../operation.ts'
import { absoluteUrl, paramsOf, text } from '../params.ts'

const createParams = paramsOf<Stripe.AccountLinkCreateParams>()({
  account: text,
  type: z.literal('account_onboarding', 'must be account_onboarding'),
  collection_options: z
    .strictObject({
      fields: z.enum(['currently_due', 'eventually_due']).optional(),
      future_requirements: z.enum(['include', 'omit']).optional(),
    })
    .optional(),
  refresh_url: absoluteUrl,
  return_url: absoluteUrl,
})

/** The link has no id: the caller gets its address once. */
export const accountLinkOperations: readonly Operation[] = [
  changing('post', '/v1/account_links', createParams, async ({ tx, params, context }) => {
    const { id } = await connectedAccount(tx, params.account)
    const expiresAt = tx.now + linkLasts
    const token = await addAccountLink(tx.client, {
      account: id,
      refreshUrl: params.refresh_url,
      returnUrl: params.return_url,
      expiresAt,
    })
    return {
      object: 'account_link',
      created: tx.now,
      expires_at: expiresAt,
      url: `${context.ownUrl}/connect/setup/${token}`,
    } satisfies Stripe.AccountLink
  }),
]
