import fc from 'fast-check'
import type { AccountEvent } from '#contracts/events/account'
import type { BillingEvent } from '#contracts/events/billing'
import { parseCheckoutId } from '#contracts/ids'
import { planById } from '#contracts/plans'
import { billingDecider, type BillingCommand } from '#services/billing/billing-decider'
import type { ControlledEvent } from '#services/finance/controls/control'
import { termsOf } from '#services/payments/plan-prices'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { recorded } from '../data/events.ts'
import { arbitraryAction, type ProviderAction } from './provider-action.ts'
import { act, emptyProvider, instantAt, openSession, seenBy } from './provider-model.ts'

type Step =
  | { readonly kind: 'provider'; readonly action: ProviderAction }
  /** The customer opens a payment page. */
  | { readonly kind: 'click' }
  /** The product reads the provider. */
  | { readonly kind: 'synchronize' }
  | { readonly kind: 'block' | 'unblock' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: arbitraryAction.map((action) => ({ kind: 'provider', action }) as const),
  },
  { weight: 4, arbitrary: fc.constant({ kind: 'synchronize' } as const) },
  { weight: 3, arbitrary: fc.constant({ kind: 'click' } as const) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ kind: 'block' } as const, { kind: 'unblock' } as const),
  },
)

/**
 * The account and billing events of one customer at a provider that works as agreed: the deciders
 * of the product decide them from what the model of the provider returns. A payment is refunded or
 * disputed, not both. A block closes the payment page and ends the subscription at once.
 */
export function arbitraryLegalHistory(userId: string): fc.Arbitrary<readonly ControlledEvent[]> {
  return fc
    .tuple(fc.array(step, { maxLength: 60, size: 'max' }), fc.boolean())
    .map(([steps, isDisputed]) =>
      historyOf(
        userId,
        steps.filter((each) => each.kind !== 'provider' || isKept(each.action, isDisputed)),
      ),
    )
}

function isKept({ kind }: ProviderAction, isDisputed: boolean): boolean {
  return isDisputed ? kind !== 'refund' : kind !== 'dispute'
}

function historyOf(userId: string, steps: readonly Step[]): readonly ControlledEvent[] {
  const events: ControlledEvent[] = []
  const revisions = { account: 0, billing: 0 }
  let model = emptyProvider
  let state = billingDecider.initialState
  let isBlocked = false
  let clicks = 0

  function add<Event extends AccountEvent | BillingEvent>(
    category: 'account' | 'billing',
    event: Event,
    occurredAt: string,
  ) {
    const place = {
      occurredAt,
      revision: revisions[category]++,
      position: String(events.length + 1),
    }
    const { metadata, ...rest } = recorded<Event>(`${category}-${userId}`, event, place)
    const recordedAt = instantAt(model.now)
    events.push({ ...rest, metadata: { ...metadata, recordedAt } } as ControlledEvent)
  }
  function decide(command: BillingCommand): void {
    const decision = billingDecider.decide(command, state)
    if (decision.kind === 'refused') return
    for (const { occurredAt, fact: _, ...event } of decision.events) {
      state = billingDecider.evolve(state, event)
      add('billing', event, occurredAt)
    }
  }
  const synchronize = () =>
    decide({ type: 'reconcile', providerState: seenBy(model), at: instantAt(model.now) })

  for (const each of [...steps, { kind: 'synchronize' } as const]) {
    const at = instantAt(model.now)
    switch (each.kind) {
      case 'provider':
        // A bank takes a payment back once.
        if (each.action.kind === 'dispute' && model.disputes.length > 0) break
        model = act(model, each.action)
        break
      case 'synchronize':
        synchronize()
        break
      case 'click': {
        clicks += 1
        const checkoutId = parseCheckoutId(`checkout_${clicks}`)
        decide({
          type: 'start-checkout',
          checkoutId,
          terms: termsOf(planById('monthly'), refOf('price_monthly')),
          providerState: seenBy(model),
          isBlocked,
          at,
        })
        if (state.openCheckout?.checkoutId !== checkoutId) break
        const sessionRef = refOf(`cs_${clicks}`)
        decide({
          type: 'record-session',
          checkoutId,
          sessionRef,
          expiresAt: instantAt(model.now + 24 * 60),
          at,
        })
        model = openSession(model, checkoutId, sessionRef)
        break
      }
      case 'block':
        if (isBlocked) break
        // Everything that happened before the block is known, and the provider ends the rest.
        synchronize()
        isBlocked = true
        model = {
          ...model,
          checkouts: model.checkouts.filter(({ status }) => status === 'complete'),
          now: model.now + 1,
        }
        add('account', { type: 'AccountBlocked', data: {} }, instantAt(model.now))
        decide({ type: 'end-blocked', at: instantAt(model.now) })
        while (model.running.length > 0) model = act(model, { kind: 'end', why: 'canceled' })
        break
      case 'unblock':
        if (!isBlocked) break
        isBlocked = false
        model = { ...model, now: model.now + 1 }
        add('account', { type: 'AccountUnblocked', data: {} }, instantAt(model.now))
        break
    }
  }
  return events
}
