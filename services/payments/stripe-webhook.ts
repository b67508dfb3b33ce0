import type Stripe from 'stripe'
import { storable } from '#contracts/storable-text'
import type { Clock } from '#services/foundation/clock'
import { instantOf } from './from-stripe.ts'
import type { ProviderNotice } from './payment-provider.ts'
import { customerOfStripeEvent } from './stripe-payment-provider.ts'

/** Stripe's own tolerance, applied to the future too: the SDK only looks at the past. */
const toleranceSeconds = 300

/** The body was not signed by the provider, or not now, or is of the other mode. Answered with 400. */
export class UntrustedWebhook extends Error {
  override readonly name = 'UntrustedWebhook'
}

export interface WebhookVerifier {
  /** Throws UntrustedWebhook. Texts in the notice are storable. `signature` is the Stripe-Signature header, `body` the raw bytes. */
  verify(body: Buffer, signature: string | undefined): ProviderNotice
}

/**
 * Several secrets may be valid at once, for rotation. `clock` is the security clock: a signature
 * is dated by real time, whatever the business clock says.
 */
export function createWebhookVerifier(
  stripe: Stripe,
  settings: {
    readonly secrets: readonly string[]
    readonly livemode: boolean
    readonly clock: Clock
  },
): WebhookVerifier {
  if (settings.secrets.length === 0 || settings.secrets.some((secret) => secret.trim() === '')) {
    throw new Error(
      'STRIPE_WEBHOOK_SECRET is empty: webhooks could not be told from forgeries. Set it.',
    )
  }
  return {
    verify(body, signature) {
      if (signature === undefined)
        throw new UntrustedWebhook('The Stripe-Signature header is missing.')
      const now = Math.floor(settings.clock.now().getTime() / 1000)
      if (signedAt(signature) > now + toleranceSeconds)
        throw new UntrustedWebhook('The signature is dated in the future.')
      const event = constructWithAny(stripe, settings.secrets, body, signature, now)
      if (event.livemode !== settings.livemode) {
        throw new UntrustedWebhook(
          `The event is of ${event.livemode ? 'live' : 'test'} mode, and our key is not.`,
        )
      }
      return storable({
        eventId: event.id,
        type: event.type,
        created: instantOf(event.created),
        apiVersion: event.api_version,
        stripeCustomerId: customerOfStripeEvent(event),
      })
    },
  }
}

function constructWithAny(
  stripe: Stripe,
  secrets: readonly string[],
  body: Buffer,
  signature: string,
  now: number,
): Stripe.Event {
  let last: unknown
  for (const secret of secrets) {
    try {
      return stripe.webhooks.constructEvent(
        body,
        signature,
        secret,
        toleranceSeconds,
        undefined,
        now * 1000,
      )
    } catch (error) {
      last = error
    }
  }
  throw new UntrustedWebhook(
    `The signature does not hold: ${last instanceof Error ? last.message : String(last)}`,
  )
}

function signedAt(signature: string): number {
  const match = /(?:^|,)\s*t=(\d+)/.exec(signature)
  if (!match) throw new UntrustedWebhook('The Stripe-Signature header carries no time.')
  return Number(match[1])
}
