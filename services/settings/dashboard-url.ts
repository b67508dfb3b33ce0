import type { Config } from './config.ts'

/** The directory of the pages on which a merchant sees its own account at Stripe, for browsers. */
export function dashboardUrl({
  sandbox,
  publicUrl,
}: Pick<Config, 'sandbox' | 'publicUrl'>): string {
  if (sandbox === null || !sandbox.simulatesStripe) return 'https://dashboard.stripe.com/'
  const site = sandbox.url ?? `http://${new URL(publicUrl).hostname}:${sandbox.port}`
  return new URL('/dashboard/', site).href
}
