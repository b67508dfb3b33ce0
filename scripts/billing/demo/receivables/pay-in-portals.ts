import { setTimeout as sleep } from 'node:timers/promises'
import type Stripe from 'stripe'
import { z } from 'zod'
import { clientResponse } from '#contracts/receivables/clients'
import { countOf } from '#services/foundation/format-count'
import { print } from '../../print.ts'
import { showProgress } from '../../progress.ts'
import type { CardName } from '../action.ts'
import { createRandom, type Random } from '../random.ts'
import { isRefusal, RefusedCall } from '../refused-call.ts'
import { seededRandom } from '../seeded-random.ts'
import type { Venue } from '../venue.ts'
import type { RecordedMerchant } from './add-receivables.ts'
import type { RecordedClient } from './record-merchant.ts'

/** How many merchants connect an account, and how many clients of each pay on it, at most. */
const max = { merchants: 16, clients: 3 }
/** How long the read model may take to have the recorded invoices. */
const patienceMs = 60_000

const linkAnswer = z.object({ url: z.url() })

interface Parts {
  readonly venue: Pick<Venue, 'productUrl'>
  readonly stripe: Pick<Stripe, 'accounts' | 'paymentIntents' | 'refunds'>
  readonly signal: AbortSignal
}

interface Paid {
  readonly payments: number
  readonly refunds: number
  readonly disputes: number
}

/**
 * Some merchants connect an account at the provider, and some of their clients pay on it through
 * the portal. The second payment on every other account is refunded in whole or in part, and one
 * of eight accounts has a disputed payment. The number is limited, so that the portal's limit per
 * network does not refuse a demo beside a running product.
 */
export async function payInPortals(
  parts: Parts,
  merchants: readonly RecordedMerchant[],
  seed: number,
): Promise<void> {
  const chosen = merchants.filter((_merchant, at) => at % 3 === 0).slice(0, max.merchants)
  const progress = showProgress({
    doing: 'Paying in portals',
    unit: 'merchants',
    total: chosen.length,
  })
  const all: Paid[] = []
  try {
    for (const [at, merchant] of chosen.entries()) {
      parts.signal.throwIfAborted()
      const random = createRandom(seededRandom(seed * 9_000_011 + merchant.index))
      const fate = { isRefunded: at % 2 === 0, isDisputed: at % 8 === 1 }
      const account = await connect(parts, merchant).catch((error: unknown) => {
        // Its plan has ended, or an administrator blocked it.
        if (isRefusal(error)) return null
        throw error
      })
      if (account !== null) all.push(await payOn(account, parts, merchant, fate, random))
      progress.advance(1)
    }
  } finally {
    progress.end()
  }
  const sum = (of: keyof Paid) => all.reduce((total, each) => total + each[of], 0)
  print(
    `${countOf(all.length, 'merchant')} connected an account: ${countOf(sum('payments'), 'payment')} of clients, ${countOf(sum('refunds'), 'refund')}, ${countOf(sum('disputes'), 'dispute')}.\n`,
  )
}

/** Returns the id of the account at the provider, which accepts payments. */
async function connect(
  { stripe }: Pick<Parts, 'stripe'>,
  { visitor }: Pick<RecordedMerchant, 'visitor'>,
): Promise<string> {
  const path = '/api/receivables/payments/account'
  const { url } = linkAnswer.parse(await visitor.call('POST', `${path}/connect`, {}))
  await visitor.completeAccountForm(url)
  await visitor.call('POST', `${path}/refresh`, {})
  for await (const { id, metadata } of stripe.accounts.list({ limit: 100 }))
    if (metadata?.['merchantId'] === visitor.userId()) return id
  throw new Error(`The account of the merchant ${visitor.userId()} is not at the provider.`)
}

async function payOn(
  stripeAccount: string,
  { venue, stripe, signal }: Parts,
  { visitor, clients }: RecordedMerchant,
  fate: { readonly isRefunded: boolean; readonly isDisputed: boolean },
  random: Random,
): Promise<Paid> {
  let [payments, refunds, disputes] = [0, 0, 0]
  for (const client of clients) {
    if (payments === max.clients) break
    const portal = await portalOf(client)
    if (portal === null) continue
    const isDisputed = fate.isDisputed && payments === 0
    const card: CardName = isDisputed ? 'disputes' : random.pick(['visa', 'mastercard', 'amex'])
    const checkout = await createCheckout(
      venue.productUrl + new URL(portal).pathname,
      random,
      signal,
    )
    if (checkout === null) continue
    await visitor.payAt(checkout, card)
    payments += 1
    if (isDisputed) disputes += 1
    else if (fate.isRefunded && payments === 2) {
      await refundNewest(random.pick([0.25, 0.5, 1]))
      refunds += 1
    }
  }
  return { payments, refunds, disputes }

  /** The client's page, when the read model has all its invoices. Null: nothing is open. */
  async function portalOf({ clientId, invoices }: RecordedClient): Promise<string | null> {
    const until = performance.now() + patienceMs
    while (performance.now() < until) {
      const found = await visitor
        .call('GET', `/api/receivables/clients/${clientId}`)
        .catch((error: unknown) => {
          if (error instanceof RefusedCall && error.status === 404) return null
          throw error
        })
      const client = found === null ? null : clientResponse.parse(found)
      if (client !== null && client.invoices >= invoices)
        return client.openInvoices === 0 ? null : (client.portal?.url ?? null)
      await sleep(100, undefined, { signal })
    }
    throw new Error(`The invoices of the client ${clientId} were not readable within a minute.`)
  }

  /** In the merchant's Dashboard at the provider, where the fee's share is not returned. */
  async function refundNewest(share: number): Promise<void> {
    const { data } = await stripe.paymentIntents.list({ limit: 1 }, { stripeAccount })
    const [intent] = data
    if (intent === undefined) throw new Error('The account has no payment to refund.')
    await stripe.refunds.create(
      { payment_intent: intent.id, amount: Math.max(1, Math.round(intent.amount * share)) },
      { stripeAccount },
    )
  }
}

/**
 * The client ticks one or two invoices of its page, and goes to the provider. Returns the address
 * of the checkout; null if the page has nothing that can be paid.
 */
async function createCheckout(
  portal: string,
  random: Random,
  signal: AbortSignal,
): Promise<string | null> {
  const page = await fetch(portal, { signal })
  const html = await page.text()
  if (!page.ok) throw new RefusedCall('The portal', page.status)
  const boxes = [...html.matchAll(/name="invoice"[^>]*? value="([^"]+)"/g)]
  const ticked = boxes.slice(0, random.chance(0.3) ? 2 : 1).map(([, value = '']) => value)
  if (ticked.length === 0) return null
  const answer = await fetch(`${portal}/checkout`, {
    method: 'POST',
    signal,
    redirect: 'manual',
    body: new URLSearchParams(ticked.map((value) => ['invoice', value])),
  })
  await answer.text()
  const forward = /url=(.+)$/.exec(answer.headers.get('refresh') ?? '')?.[1]
  if (forward === undefined) throw new RefusedCall('The payment in the portal', answer.status)
  return forward
}
