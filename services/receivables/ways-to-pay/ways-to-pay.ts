import type { ProviderRef } from '#contracts/events/provider-ref'
import type { UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Position } from '#services/event-store/event-store'
import type { Clock } from '#services/foundation/clock'
import { merchantStream } from '#services/foundation/stream-names'
import type { AccountNeeds, ConnectedAccounts } from '#services/payments/connected-accounts'
import { merchantDecider, type MerchantCommand, type MerchantRefusal } from '../merchant-decider.ts'
import type { WaysToPay, WaysToPayCommand } from './decide-ways-to-pay.ts'

export interface WaysToPayParts {
  readonly commands: Pick<CommandHandler, 'handle' | 'load' | 'loadEvents'>
  readonly accounts: ConnectedAccounts
  readonly publicUrl: string
  /** The business clock. */
  readonly clock: Clock
}

type Refused = { readonly kind: 'refused'; readonly refusal: MerchantRefusal }
type Done<More = object> =
  | Refused
  | (More & {
      readonly kind: 'done'
      readonly payments: WaysToPay
      readonly position: Position | null
    })

interface Loaded {
  readonly payments: WaysToPay
  readonly revision: number | null
  readonly position: Position | null
}

type Act<Command = WaysToPayCommand> = Command extends unknown ? Omit<Command, 'at'> : never
type OwnAct = Extract<
  Act,
  { type: 'disconnect-payment-account' | 'change-gateway-link' | 'change-pay-instructions' }
>

/** How the clients of merchants can pay. */
export interface WaysToPayOfMerchants {
  /** `accountSince`: since the account is as it is. @throws EventStoreUnavailable */
  read(
    merchantId: UserId,
  ): Promise<{ readonly payments: WaysToPay; readonly accountSince: Instant | null }>
  /**
   * The provider's form for the merchant's account, which is made if there is none. A disconnected
   * account is used again if the provider still gives access to it.
   * @throws PaymentProviderUnavailable, PaymentProviderRefused, EventStoreUnavailable
   */
  connect(
    merchantId: UserId,
    email: string,
    context: CommandContext,
  ): Promise<Done<{ readonly url: string }>>
  /**
   * Reads the account at the provider and records the difference: also that the access is lost.
   * `needs` is null then, and for an account that is not the merchant's present one, about which
   * nothing is recorded. The caller may repeat it at any time.
   * @throws PaymentProviderUnavailable, PaymentProviderRefused, EventStoreUnavailable
   */
  refreshAccount(
    merchantId: UserId,
    accountRef: ProviderRef,
    context: CommandContext,
  ): Promise<Done<{ readonly needs: AccountNeeds | null; readonly hasChanged: boolean }>>
  /** @throws EventStoreUnavailable */
  act(merchantId: UserId, act: OwnAct, context: CommandContext): Promise<Done>
}

/** The states of company profiles are US states. */
const country = 'US'

/** The page to which the provider's form leads back. */
const page = '/receivables/payments'

export function createWaysToPay({
  commands,
  accounts,
  publicUrl,
  clock,
}: WaysToPayParts): WaysToPayOfMerchants {
  const now = () => clock.now().toISOString()

  async function handle(
    merchantId: UserId,
    command: MerchantCommand | ((payments: WaysToPay) => Promise<MerchantCommand>),
    context: CommandContext,
  ) {
    const handled = await commands.handle({
      decider: merchantDecider,
      stream: merchantStream(merchantId),
      command: typeof command === 'function' ? (state) => command(state.payments) : command,
      context,
    })
    if (handled.kind === 'refused')
      return { kind: 'refused', refusal: handled.refusal } satisfies Refused
    const { state, position, events } = handled
    return {
      kind: 'done',
      payments: state.payments,
      position,
      hasChanged: events.length > 0,
    } as const
  }

  async function load(merchantId: UserId): Promise<Loaded> {
    const { state, revision, position } = await commands.load({
      decider: merchantDecider,
      stream: merchantStream(merchantId),
    })
    return { payments: state.payments, revision, position }
  }

  const refreshAccount: WaysToPayOfMerchants['refreshAccount'] = async (
    merchantId,
    accountRef,
    context,
  ) => {
    const { revision } = await load(merchantId)
    let needs: AccountNeeds | null = null
    const done = await handle(
      merchantId,
      // Each attempt reads the provider after the stream: an older answer replaces no newer one.
      async ({ account }) => {
        const isPresent = account?.accountRef === accountRef
        const read = isPresent ? await accounts.accountOf(accountRef) : null
        needs = read?.needs ?? null
        return { type: 'record-payment-account', accountRef, standing: read, at: now() }
      },
      // A repeat finds another account than the one before, so it is another command.
      { ...context, commandId: `${context.commandId} after ${revision ?? 'nothing'}` },
    )
    return done.kind === 'refused' ? done : { ...done, needs }
  }

  return {
    async read(merchantId) {
      const events = await commands.loadEvents({
        decider: merchantDecider,
        stream: merchantStream(merchantId),
      })
      const { payments } = events.reduce(merchantDecider.evolve, merchantDecider.initialState)
      const last = events.findLast(({ type }) => type.startsWith('PaymentAccount'))
      return { payments, accountSince: last?.metadata.occurredAt ?? null }
    },

    async connect(merchantId, email, context) {
      const part = (name: string) => ({ ...context, commandId: `${context.commandId} ${name}` })
      let { payments, position }: Pick<Loaded, 'payments' | 'position'> = await load(merchantId)
      if (payments.account !== null) {
        // The access to the account may have ended since.
        const looked = await refreshAccount(merchantId, payments.account.accountRef, part('known'))
        if (looked.kind === 'refused') return looked
        ;({ payments, position } = looked)
      }
      if (payments.account === null) {
        const accountRef = await accountFor(accounts, merchantId, email, payments)
        const used = await handle(
          merchantId,
          { type: 'use-payment-account', accountRef, country, at: now() },
          context,
        )
        if (used.kind === 'refused') return used
        // An account that was disconnected can charge at once.
        const looked = await refreshAccount(merchantId, accountRef, part('used'))
        if (looked.kind === 'refused') return looked
        ;({ payments, position } = looked)
      }
      // Another window disconnected it at the same moment.
      if (payments.account === null) return { kind: 'refused', refusal: 'other-account' }
      const { url } = await accounts.onboardingLink(payments.account.accountRef, {
        returnUrl: new URL(`${page}?account=returned`, publicUrl).href,
        refreshUrl: new URL(`${page}?account=expired`, publicUrl).href,
      })
      return { kind: 'done', payments, position, url }
    },

    refreshAccount,

    act: (merchantId, act, context) => handle(merchantId, { ...act, at: now() }, context),
  }
}

/** The account of which the merchant gets the form. */
async function accountFor(
  accounts: WaysToPayParts['accounts'],
  merchantId: UserId,
  email: string,
  { former, accountsMade }: WaysToPay,
): Promise<ProviderRef> {
  if (former !== null && (await accounts.accountOf(former.accountRef)) !== null)
    return former.accountRef
  return accounts.createAccount({
    merchantId,
    email,
    country,
    // The same account for a click whose answer was lost, and another one after it was lost.
    idempotencyKey: `account ${accountsMade} of ${merchantId}`,
  })
}
