import type { TwilioAccount } from '#services/sms/twilio-client'
import type { Config } from './config.ts'

type TextAccount = Omit<TwilioAccount, 'origin'>

/**
 * The account that sends and receives texts. The sandbox signs inbound texts with the secret that
 * it has for the other webhooks. Null: no texts.
 */
export function textAccountOf({
  twilio,
  stripe,
}: Pick<Config, 'twilio' | 'stripe'>): TextAccount | null {
  if (twilio !== 'sandbox') return twilio
  return {
    accountSid: `AC${'0'.repeat(32)}`,
    authToken: stripe.webhookSecrets[0] ?? '',
    from: '+15005550006',
  }
}
