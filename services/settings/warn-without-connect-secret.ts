import type { Logger } from 'pino'
import type { Config } from './config.ts'

/**
 * Without the secret no event of a merchant's account can be believed, so the endpoint does not
 * exist.
 */
export function warnWithoutConnectSecret(
  { stripe }: { readonly stripe: Pick<Config['stripe'], 'connectWebhookSecrets'> },
  log: Pick<Logger, 'warn'>,
): void {
  if (stripe.connectWebhookSecrets.length > 0) return
  log.warn(
    "STRIPE_CONNECT_WEBHOOK_SECRET is not set: payments, refunds and disputes of merchants' clients are seen only once an hour. Run 'npm run billing -- stripe setup', set the secret that it prints and restart.",
  )
}
