import { plans, priceSettingOf } from '#contracts/plans'

const key = 'ab'.repeat(32)

/** The secrets that all processes of one product share. */
export const sharedSecrets = {
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  SESSION_SECRET: 'x'.repeat(32),
  MASTER_KEY: key,
  EMAIL_HMAC_KEY: key,
  PORTAL_KEY: key,
  AUDIT_KEY: key,
}

/** The settings of a start without a sandbox. The price of the plan `annual` is `price_annual`. */
export const realSettings: Readonly<Record<string, string>> = {
  ...sharedSecrets,
  ...Object.fromEntries(plans.map(({ id }) => [priceSettingOf(id), `price_${id}`])),
  STRIPE_SECRET_KEY: 'sk_test_1',
  SMTP_URL: 'smtp://mail.example:587',
  ADMIN_PASSWORD_HASH: 'scrypt$salt$hash',
}
