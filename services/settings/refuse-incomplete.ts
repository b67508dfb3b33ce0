import { plans, priceSettingOf } from '#contracts/plans'
import { StartupError } from '#services/foundation/startup-error'
import { refuseMissing } from './refuse-missing.ts'
import type { Settings } from './settings.ts'

/** The secrets that the sandbox can generate. */
export const secretNames = [
  'SESSION_SECRET',
  'MASTER_KEY',
  'EMAIL_HMAC_KEY',
  'PORTAL_KEY',
  'AUDIT_KEY',
] as const
const priceNames = plans.map(({ id }) => priceSettingOf(id))

/**
 * Refuses a start without the settings that neither the sandbox nor a default replaces.
 * @throws StartupError that names every missing setting
 */
export function refuseIncomplete(
  settings: Settings,
  is: {
    isProduction: boolean
    /** PUBLIC_URL if other machines can reach it; otherwise null. */
    publicUrl: string | null
    simulatesStripe: boolean
    isSandboxed: boolean
  },
): void {
  const mayUseSandbox = settings.ALLOW_SANDBOX || (!is.isProduction && is.publicUrl === null)
  if (is.isSandboxed && mayUseSandbox) {
    if (!is.simulatesStripe) refuseMissing(settings, ['STRIPE_WEBHOOK_SECRET', ...priceNames])
    // Several processes share these secrets, so one process cannot generate them.
    if (settings.SANDBOX_URL !== undefined)
      refuseMissing(settings, ['STRIPE_WEBHOOK_SECRET', 'SMTP_URL', ...secretNames])
    return
  }
  refuseMissing(
    settings,
    [
      'STRIPE_SECRET_KEY',
      'STRIPE_WEBHOOK_SECRET',
      ...priceNames,
      'SMTP_URL',
      ...secretNames,
      'ADMIN_PASSWORD_HASH',
      ...(is.isProduction ? (['PUBLIC_URL'] as const) : []),
    ],
    {
      alsoMissing: namesNoDatabase(settings, is.isProduction)
        ? ['DATABASE_URL (or DATA_DIR, for the embedded database)']
        : [],
      publicUrl: is.isSandboxed ? is.publicUrl : null,
    },
  )
}

/**
 * The default DATA_DIR depends on the working directory. In production a start in another directory
 * would use a new, empty database.
 */
function namesNoDatabase(settings: Settings, isProduction: boolean): boolean {
  return isProduction && settings.DATABASE_URL === undefined && settings.DATA_DIR === undefined
}

/** @throws StartupError in production without a named database */
export function refuseUnnamedDatabase(settings: Settings, isProduction: boolean): void {
  if (!namesNoDatabase(settings, isProduction)) return
  throw new StartupError(
    'NODE_ENV is production, and neither DATABASE_URL nor DATA_DIR is set. ' +
      'Set DATABASE_URL to a PostgreSQL, or DATA_DIR to the directory of the embedded database.',
  )
}
