/**
 * What Stripe.js reaches, as origins for a content security policy. Source: Stripe's guide to
 * integration security, without the hosts of Elements, which no page has.
 */
export const stripeScriptHosts = {
  scripts: ['https://js.stripe.com'],
  frames: ['https://js.stripe.com', 'https://hooks.stripe.com'],
  connections: ['https://api.stripe.com', 'https://r.stripe.com'],
} as const
