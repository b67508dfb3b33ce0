import Stripe from 'stripe'
import { z } from 'zod'
import type { Clock } from '#services/foundation/clock'
import { UntrustedWebhook, type WebhookVerifier } from '../webhook-verifier.ts'

/** The fields of an event that the product reads. `created` is a Unix time up to the year 9999. */
const envelope = z.object({
  id: z.string().min(1),
  type: z.string().min(1),
  created: z.int().min(0).max(253_402_300_799),
  api_version: z.string().nullable(),
  livemode: z.boolean(),
  data: z.object({ object: z.looseObject({}) }),
})

/** Stripe's tolerance. The SDK does not apply it to future signatures; this file does. */
const toleranceSeconds = 300

/**
 * During a rotation several secrets are valid at once. `clock` is the security clock, because
 * the provider dates signatures by real time.
 * @throws Error if a secret is empty.
 */
export function createWebhookVerifier<ReadEvent>(
  stripe: Stripe,
  settings: {
    /** The setting of the secrets. */
    readonly name: string
    readonly secrets: readonly string[]
    readonly livemode: boolean
    readonly clock: Clock
    readonly read: (event: Stripe.Event) => ReadEvent
  },
): WebhookVerifier<ReadEvent> {
  const { name } = settings
  if (settings.secrets.length === 0 || settings.secrets.some((secret) => secret.trim() === ''))
    throw new Error(`${name} is empty, so any caller could forge webhooks. Set ${name}.`)

  function signedEvent(body: Buffer, signature: string | undefined): Stripe.Event {
    if (signature === undefined)
      throw new UntrustedWebhook('The Stripe-Signature header is missing.')
    const now = Math.floor(settings.clock.now().getTime() / 1000)
    const signed = signedAt(signature)
    if (signed > now + toleranceSeconds)
      throw new UntrustedWebhook('The signature is dated in the future.')
    if (signed < now - toleranceSeconds)
      throw new UntrustedWebhook(`The signature is more than ${toleranceSeconds} s old.`)
    return constructWithAny(stripe, settings, body, signature, now)
  }

  return {
    isSigned(body, signature) {
      try {
        signedEvent(body, signature)
        return true
      } catch (error) {
        if (error instanceof UntrustedWebhook) return error.isSigned
        throw error
      }
    },
    verify(body, signature) {
      const event = signedEvent(body, signature)
      const problem = envelope.safeParse(event).error?.issues[0]
      if (problem !== undefined)
        throw new UntrustedWebhook(
          `The webhook is signed, but it is no event: ${placeOf(problem.path)} is not valid.`,
          'valid',
        )
      if (event.livemode !== settings.livemode) {
        throw new UntrustedWebhook(
          `The event has ${event.livemode ? 'live' : 'test'} mode, but STRIPE_SECRET_KEY has ${settings.livemode ? 'live' : 'test'} mode.`,
          'valid',
        )
      }
      return settings.read(event)
    },
  }
}

/** The field that is not valid; the whole body if it is no object. */
function placeOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'its body' : `the field ${path.join('.')}`
}

function constructWithAny(
  stripe: Stripe,
  { name, secrets }: { readonly name: string; readonly secrets: readonly string[] },
  body: Buffer,
  signature: string,
  now: number,
): Stripe.Event {
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
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) continue
      throw new UntrustedWebhook(
        `The webhook is signed, but it is no event: ${error instanceof Error ? error.message : String(error)}`,
        'valid',
      )
    }
  }
  throw new UntrustedWebhook(`The signature is invalid: it matches no secret in ${name}.`)
}

function signedAt(signature: string): number {
  const match = /(?:^|,)\s*t=(\d+)/.exec(signature)
  if (!match) throw new UntrustedWebhook('The Stripe-Signature header has no timestamp.')
  return Number(match[1])
}
