import { idAtProvider, refAt } from '#contracts/events/provider-ref'
import type { UserId } from '#contracts/ids'
import {
  accountPageResponse,
  changeGatewayLinkRequest,
  changeInstructionsRequest,
  disconnectAccountRequest,
  paymentSettingsResponse,
  type PaymentSettings,
} from '#contracts/receivables/payments'
import { commandContext } from '#services/http/command-context'
import type { RequestContext } from '#services/http/endpoint'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import type { AccountNeeds, ConnectedAccounts } from '#services/payments/connected-accounts'
import { accessOf, assertMayAct, type MerchantOf } from './merchant-access.ts'
import { refusedMerchantAct } from './merchant-refusals.ts'
import { accountStateOf } from './ways-to-pay/account-state.ts'
import { hasWayToPay } from './ways-to-pay/decide-ways-to-pay.ts'
import type { WaysToPayOfMerchants } from './ways-to-pay/ways-to-pay.ts'

/** How a merchant's clients pay: the account at the provider, a link, instructions. */
export function paymentsRoutes({
  waysToPay,
  connectedAccounts,
  merchantOf,
  limits,
}: {
  readonly waysToPay: WaysToPayOfMerchants
  readonly connectedAccounts: Pick<ConnectedAccounts, 'name' | 'title' | 'dashboardUrlOf'>
  readonly merchantOf: MerchantOf
  readonly limits: Pick<Limits, 'customerChange'>
}): Routes {
  async function settingsOf(
    merchantId: UserId,
    needs: AccountNeeds | null = null,
  ): Promise<PaymentSettings> {
    const merchant = await merchantOf(merchantId)
    const { payments, accountSince } = await waysToPay.read(merchantId)
    const { account, gatewayLink, instructions } = payments
    return {
      access: accessOf(merchant),
      provider: connectedAccounts.title,
      account: {
        state: accountStateOf(payments, needs),
        needs:
          needs === null
            ? null
            : { asked: needs.asked, isOverdue: needs.overdue > 0, until: needs.until },
        accountId: account === null ? null : idAtProvider(account.accountRef),
        since: accountSince,
      },
      feeBasisPoints: merchant.feeBasisPoints,
      gatewayLink,
      instructions,
      hasWay: hasWayToPay(payments),
    }
  }

  async function act(
    command: Parameters<WaysToPayOfMerchants['act']>[1],
    context: RequestContext & { readonly userId: UserId },
  ): Promise<PaymentSettings> {
    const { userId } = context
    const actor = { kind: 'customer', id: userId } as const
    const done = await waysToPay.act(userId, command, commandContext(context, actor))
    if (done.kind === 'refused') throw refusedMerchantAct(done.refusal)
    context.customer.remember(done.position)
    return settingsOf(userId)
  }

  return (route) => {
    route({
      method: 'get',
      path: '/api/receivables/payments',
      summary: "Read how the merchant's clients can pay",
      access: 'customer',
      answer: paymentSettingsResponse,
      handle: (_input, { userId }) => settingsOf(userId),
    })

    route({
      method: 'post',
      path: '/api/receivables/payments/account/connect',
      appends: 'payment account',
      work: 'checkout',
      summary: "Open the payment provider's form of the merchant's account",
      access: 'customer',
      answer: accountPageResponse,
      alsoAnswers: [403, 409, 429, 502],
      async handle(_input, context) {
        const { userId } = context
        await limits.customerChange.spend(userId)
        const merchant = await merchantOf(userId)
        assertMayAct(merchant)
        const command = commandContext(context, { kind: 'customer', id: userId })
        const connected = await waysToPay.connect(userId, merchant.email, command)
        if (connected.kind === 'refused') throw refusedMerchantAct(connected.refusal)
        context.customer.remember(connected.position)
        return { url: connected.url }
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/payments/account/refresh',
      appends: 'payment account',
      work: 'checkout',
      summary: "Ask the payment provider about the merchant's account",
      access: 'customer',
      answer: paymentSettingsResponse,
      alsoAnswers: [409, 429, 502],
      // Without a plan, too: what is recorded stays true.
      async handle(_input, context) {
        const { userId } = context
        const { payments } = await waysToPay.read(userId)
        if (payments.account === null) return settingsOf(userId)
        await limits.customerChange.spend(userId)
        const command = commandContext(context, { kind: 'customer', id: userId })
        const { accountRef } = payments.account
        const looked = await waysToPay.refreshAccount(userId, accountRef, command)
        if (looked.kind === 'refused') throw refusedMerchantAct(looked.refusal)
        if (!looked.hasChanged) await limits.customerChange.refund(userId)
        context.customer.remember(looked.position)
        return settingsOf(userId, looked.needs)
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/payments/account/dashboard',
      appends: 'payment account',
      work: 'checkout',
      summary: "Open the payment provider's pages of the merchant's account",
      access: 'customer',
      answer: accountPageResponse,
      alsoAnswers: [404, 502],
      async handle(_input, { userId }) {
        const { payments } = await waysToPay.read(userId)
        if (payments.account === null)
          throw new HttpError(404, { error: 'There is no payment account. Refresh the page.' })
        return connectedAccounts.dashboardUrlOf(payments.account.accountRef)
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/payments/account/disconnect',
      appends: 'payment account',
      summary: "Disconnect the merchant's account at the payment provider",
      access: 'customer',
      body: disconnectAccountRequest,
      answer: paymentSettingsResponse,
      alsoAnswers: [409, 429],
      // Without a plan, too.
      async handle({ body }, context) {
        const { userId } = context
        await limits.customerChange.spend(userId)
        return act(
          {
            type: 'disconnect-payment-account',
            accountRef: refAt(connectedAccounts.name, body.accountId),
          },
          context,
        )
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/payments/link',
      appends: 'words',
      summary: "Change the link of the merchant's own gateway",
      access: 'customer',
      body: changeGatewayLinkRequest,
      answer: paymentSettingsResponse,
      alsoAnswers: [403, 409, 429],
      async handle({ body: { link, seen } }, context) {
        const { userId } = context
        await limits.customerChange.spend(userId)
        assertMayAct(await merchantOf(userId))
        return act({ type: 'change-gateway-link', text: link, seen }, context)
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/payments/instructions',
      appends: 'words',
      summary: 'Change what clients read about other ways to pay',
      access: 'customer',
      body: changeInstructionsRequest,
      answer: paymentSettingsResponse,
      alsoAnswers: [403, 409, 429],
      async handle({ body: { text, seen } }, context) {
        const { userId } = context
        await limits.customerChange.spend(userId)
        assertMayAct(await merchantOf(userId))
        return act({ type: 'change-pay-instructions', text, seen }, context)
      },
    })
  }
}
