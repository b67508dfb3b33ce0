import type Stripe from 'stripe'
import { storable } from '#contracts/storable-text'
import type { Clock } from '#services/foundation/clock'
import { instantOf } from './from-stripe/references.ts'
import type { ProviderNotice } from './payment-provider.ts'
import { customerOfStripeEvent } from './stripe-payment-provider.ts'

/**
 * Stripe's tolerance. The SDK applies it only to past signatures; this file also applies it to
 * future signatures.
 */
const toleranceSeconds = 300

/**
 * The signature is missing, invalid or outside the tolerance, or the event has the wrong mode. The
 * route answers 400.
 */
export class UntrustedWebhook extends Error {
  override readonly name = 'UntrustedWebhook'
}

export interface WebhookVerifier {
  /**
   * `body` is the raw bytes, `signature` the Stripe-Signature header. Texts in the notice are
   * storable.
   * @throws UntrustedWebhook
   */
  verify(body: Buffer, signature: string | undefined): ProviderNotice
}

/**
 * During a rotation several secrets are valid at once. `clock` is the security clock, because
 * the provider dates signatures by real time.
 * @throws Error if a secret is empty.
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
      'STRIPE_WEBHOOK_SECRET is empty, so any caller could forge webhooks. Set STRIPE_WEBHOOK_SECRET.',
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
          `The event has ${event.livemode ? 'live' : 'test'} mode, but STRIPE_SECRET_KEY has ${settings.livemode ? 'live' : 'test'} mode.`,
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
    `The signature is invalid: ${last instanceof Error ? last.message : String(last)}`,
  )
}

function signedAt(signature: string): number {
  const match = /(?:^|,)\s*t=(\d+)/.exec(signature)
  if (!match) throw new UntrustedWebhook('The Stripe-Signature header has no timestamp.')
  return Number(match[1])
}
