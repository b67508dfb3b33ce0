import type { TestDatabase } from '../postgres/database.ts'
import { webhookSecret, type TestSandbox } from './sandbox.ts'

/** The keys and secrets that all processes of one product share. */
export const productSecrets = {
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  SESSION_SECRET: 's'.repeat(32),
  MASTER_KEY: 'ab'.repeat(32),
  EMAIL_HMAC_KEY: 'cd'.repeat(32),
  PORTAL_KEY: 'ab'.repeat(32),
  AUDIT_KEY: 'ef'.repeat(32),
} as const

/** The settings that all processes of one product share: its database, its sandbox, its secrets. */
export function productSettings(
  database: Pick<TestDatabase, 'connectionString'>,
  sandbox: Pick<TestSandbox, 'smtpPort' | 'url'>,
) {
  return {
    DATABASE_URL: database.connectionString,
    SMTP_URL: `smtp://127.0.0.1:${sandbox.smtpPort}`,
    SANDBOX_URL: sandbox.url,
    ...productSecrets,
  }
}
