import type { CheckoutItem } from '#contracts/events/client-checkout'
import type { ProviderRef } from '#contracts/events/provider-ref'
import { parseCheckoutId, type ClientId, type UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import { clientStream, merchantStream } from '#services/foundation/stream-names'
import { AmountRefused, type ClientPayments } from '#services/payments/client-payments'
import { PaymentProviderRefused } from '#services/payments/payment-provider'
import type { MerchantOf } from '../merchant-access.ts'
import { merchantDecider } from '../merchant-decider.ts'
import type { Receivables } from '../receivables-service.ts'
import { createClientSessions } from './client-sessions.ts'
import type { ClientCheckout } from './checkout-state.ts'
import { overlapping } from './decide-checkout.ts'
import { feeOf } from '#contracts/receivables/fee'
import { createOwed } from './owed.ts'
import type { OpenCheckouts } from './open-checkouts-table.ts'
import type { CheckoutSync } from './sync-checkout.ts'

export interface PayParts {
  readonly commands: Pick<CommandHandler, 'load'>
  readonly receivables: Pick<Receivables, 'actOnClient'>
  readonly merchantOf: MerchantOf
  readonly payments: ClientPayments
  readonly open: OpenCheckouts
  readonly sync: CheckoutSync
  readonly publicUrl: string
  readonly newId: () => string
}

/** What a client wants to pay. Amounts in minor units of `currency`. */
export interface WantedPayment {
  readonly currency: string
  readonly items: readonly CheckoutItem[]
}

export type PayResult =
  | { readonly kind: 'open'; readonly checkout: ClientCheckout; readonly url: string }
  /** The merchant takes no payment here: no plan, no account, or the provider refuses. */
  | { readonly kind: 'not-possible' }
  /** The provider takes no payment of this amount. `bound`: in minor units, if it says so. */
  | ({ readonly kind: 'amount-refused'; readonly currency: string } & Pick<
      AmountRefused,
      'why' | 'bound'
    >)
  /** Less is open now than the client wants to pay, or an invoice ended or is disputed. */
  | { readonly kind: 'changed' }
  /** A part of it was paid a moment ago, in another tab or by another person. */
  | { readonly kind: 'paid-meanwhile' }
  /** A part of it is on its way: the bank needs days. */
  | { readonly kind: 'on-its-way' }

interface Terms {
  readonly accountRef: ProviderRef
  readonly feeBasisPoints: number
}

/** Attempts to reserve. Each can end with a checkout of another tab. */
const attempts = 8

/**
 * Opens the page on which a client pays. The address of a page leaves this function only after its
 * session is on the reservation, and a reservation with a session ends only after the provider has
 * closed it: no receivable is on two pages that can be paid.
 */
export function createPay(parts: PayParts) {
  const { commands, receivables, open, sync, newId } = parts
  const owed = createOwed(commands)
  const { knownSession, sessionOfReserved } = createClientSessions(parts, owed)
  const termsOf = (merchantId: UserId) => readTerms(parts, merchantId)

  /** @throws PaymentProviderUnavailable, EventStoreUnavailable */
  return async function pay(
    merchantId: UserId,
    clientId: ClientId,
    wanted: WantedPayment,
    context: CommandContext,
  ): Promise<PayResult> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const own = { ...context, commandId: `${context.commandId} ${attempt}` }
      const terms = await termsOf(merchantId)
      if (terms === null) return { kind: 'not-possible' }
      const { accountRef, feeBasisPoints } = terms
      const others = await othersOf(clientId, wanted, terms)
      for (const other of others.toClose) {
        const after = await closed(clientId, other, own)
        if (after !== null) return after
      }
      if (others.toClose.length === 0 && others.same !== null) {
        const result = await opened(merchantId, clientId, others.same, own)
        if (result !== null) return result
        continue
      }
      if (!(await owed.isStillOpen(merchantId, clientId, wanted))) return { kind: 'changed' }
      const checkoutId = parseCheckoutId(`checkout_${newId()}`)
      await open.add({ checkoutId, clientId, merchantId, accountRef })
      const { currency, items } = wanted
      const started = await receivables.actOnClient(
        merchantId,
        clientId,
        { type: 'start-checkout', checkoutId, accountRef, currency, items, feeBasisPoints },
        { ...own, commandId: `${own.commandId} start` },
      )
      if (started.kind === 'refused') {
        await open.remove(checkoutId)
        if (started.refusal.kind !== 'in-checkout') return { kind: 'changed' }
        continue
      }
      const { state } = started
      const checkout = state.kind === 'added' ? state.checkouts.get(checkoutId) : undefined
      if (checkout === undefined) continue
      const result = await opened(merchantId, clientId, checkout, own)
      if (result !== null) return result
    }
    throw new Error(
      `The checkout of ${clientId} was closed ${attempts} times while the product opened it. Check stream ${clientStream(clientId)} with npm run billing -- events show.`,
    )
  }

  /** The checkouts under way with a part of what is wanted. `same`: it is exactly that. */
  async function othersOf(clientId: ClientId, wanted: WantedPayment, terms: Terms) {
    const state = await owed.clientState(clientId)
    const others = state.kind === 'added' ? overlapping(state, wanted.items) : []
    const isSame = (other: ClientCheckout) => isOn(other, terms) && isEqual(other, wanted)
    return {
      same: others.find(isSame) ?? null,
      toClose: others.filter((other) => !isSame(other)),
    }
  }

  /** Null if nothing was paid on it and nothing can be. */
  async function closed(
    clientId: ClientId,
    { checkoutId, session }: ClientCheckout,
    context: CommandContext,
  ): Promise<PayResult | null> {
    // Its page may be open although its answer was lost: under its key the provider has one
    // session.
    if (session === null) await sessionOfReserved(clientId, checkoutId, context)
    const after = await sync.close(clientId, checkoutId, context)
    if (after?.standing === 'paid') return { kind: 'paid-meanwhile' }
    if (after?.standing === 'submitted') return { kind: 'on-its-way' }
    return null
  }

  /** Null: it was closed meanwhile, and another attempt can open one. */
  async function opened(
    merchantId: UserId,
    clientId: ClientId,
    checkout: ClientCheckout,
    context: CommandContext,
  ): Promise<PayResult | null> {
    const { checkoutId } = checkout
    if (checkout.standing === 'submitted') return { kind: 'on-its-way' }
    const session =
      checkout.session === null
        ? await sessionOfReserved(clientId, checkoutId, context)
        : await knownSession(checkout.accountRef, checkout.session.sessionRef)
    if (session instanceof PaymentProviderRefused) return refusedAs(session, checkout)
    // The plan can end and an invoice can be paid by hand while the page is opened. Both are looked
    // for after the reservation; the end of the plan looks for reservations after that. So one of
    // the two finds the other.
    const terms = await termsOf(merchantId)
    const isWanted =
      terms !== null &&
      isOn(checkout, terms) &&
      (await owed.isStillOpen(merchantId, clientId, checkout))
    if (isWanted && session?.status === 'open' && session.url !== null)
      return { kind: 'open', checkout, url: session.url }
    const after = await sync.close(clientId, checkoutId, context)
    if (after?.standing === 'paid') return { kind: 'paid-meanwhile' }
    if (after?.standing === 'submitted') return { kind: 'on-its-way' }
    return isWanted ? null : { kind: 'changed' }
  }
}

/** The account that takes the money, and the fee. Null: the merchant takes none. */
async function readTerms(
  { commands, merchantOf }: Pick<PayParts, 'commands' | 'merchantOf'>,
  merchantId: UserId,
): Promise<Terms | null> {
  const merchant = await merchantOf(merchantId)
  const { isBlocked, isErased, plan, feeBasisPoints } = merchant
  if (isBlocked || isErased || plan !== 'usable' || feeBasisPoints === null) return null
  const { state } = await commands.load({
    decider: merchantDecider,
    stream: merchantStream(merchantId),
  })
  const { account } = state.payments
  return account === null ? null : { accountRef: account.accountRef, feeBasisPoints }
}

function refusedAs(error: PaymentProviderRefused, { currency }: ClientCheckout): PayResult {
  if (!(error instanceof AmountRefused)) return { kind: 'not-possible' }
  const { why, bound } = error
  return { kind: 'amount-refused', currency, why, bound }
}

/** What a new checkout would have: a reservation can be older than the plan or the account. */
function isOn({ accountRef, amount, fee }: ClientCheckout, terms: Terms): boolean {
  return accountRef === terms.accountRef && fee === feeOf(amount, terms.feeBasisPoints)
}

/** The same receivables with the same amounts, in any order. */
function isEqual(checkout: ClientCheckout, { currency, items }: WantedPayment): boolean {
  const amounts = new Map(items.map(({ receivableId, amount }) => [receivableId, amount]))
  return (
    checkout.currency === currency &&
    checkout.items.length === items.length &&
    checkout.items.every(({ receivableId, amount }) => amounts.get(receivableId) === amount)
  )
}
