import { z } from 'zod'
import { sandboxPriceIds, type PlanId } from '#contracts/plans'
import { parseConnectionString } from './event-store/eventstoredb/connection-string.ts'
import { mostShards } from '#projections/engine/shard'
import { StartupError } from './startup-error.ts'
import { sandboxSecrets } from './sandbox-secrets.ts'

const port = z.coerce.number().int().min(0).max(65535)
const text = z.string().trim().min(1)
const flag = z.enum(['0', '1', 'true', 'false']).transform((value) => value === '1' || value === 'true')
const roles = z.enum(['all', 'api', 'projector'])

const environment = z.object({
  NODE_ENV: z.string().optional(),
  PORT: port.default(3000),
  HOST: text.default('127.0.0.1'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: text.default('.data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must look like postgres://user:password@host:5432/database' }).optional(),
  EVENTSTORE_URL: text.optional(),
  SANDBOX_PORT: port.default(3001),
  SANDBOX_URL: z.url({ protocol: /^https?$/ }).optional(),
  ALLOW_SANDBOX: flag.default(false),
  STRIPE_SECRET_KEY: text.optional(),
  STRIPE_PUBLISHABLE_KEY: text.optional(),
  STRIPE_WEBHOOK_SECRET: text.optional(),
  STRIPE_PRICE_MONTHLY: text.optional(),
  STRIPE_PRICE_SIX_MONTH: text.optional(),
  STRIPE_PRICE_ANNUAL: text.optional(),
  STRIPE_PORTAL_CONFIGURATION: text.optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must look like smtp://user:password@host:587' }).optional(),
  MAIL_FROM: text.default('Agile Receivables <no-reply@example.com>'),
  ADMIN_PASSWORD: text.optional(),
  ADMIN_PASSWORD_HASH: text.optional(),
  SESSION_SECRET: text.min(32, 'must have 32 characters or more').optional(),
  MASTER_KEY: z.string().regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits (32 bytes): openssl rand -hex 32').optional(),
  EMAIL_HMAC_KEY: z.string().regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits (32 bytes): openssl rand -hex 32').optional(),
  AUDIT_KEY: z.string().regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits (32 bytes): openssl rand -hex 32').optional(),
  CLOCK_URL: z.url().optional(),
  TRUST_PROXY: flag.default(false),
  ROLE: roles.default('all'),
  PROJECTION_SHARDS: z.coerce.number().int().min(1).max(mostShards).default(1),
  METRICS_PORT: port.optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
})

export interface Config {
  readonly isProduction: boolean
  readonly role: z.infer<typeof roles>
  readonly logLevel: string
  /** How many parts a read model that is built anew is folded in, for projector processes to share. */
  readonly projectionShards: number
  readonly port: number
  readonly host: string
  /** Where metrics are served, on the loopback address; null: nowhere. */
  readonly metricsPort: number | null
  /** Origin under which people reach us, without a trailing slash. */
  readonly publicUrl: string
  readonly trustProxy: boolean
  readonly dataDir: string
  /** Null: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | null
  /** Null: the event log is in the database, too. */
  readonly eventStoreUrl: string | null
  /** Null when real keys are set for everything that it plays. `url`: it runs elsewhere already; null: this process starts one. */
  readonly sandbox: { readonly url: string | null; readonly port: number; readonly playsStripe: boolean; readonly playsMail: boolean } | null
  readonly stripe: {
    readonly secretKey: string
    readonly webhookSecrets: readonly string[]
    readonly livemode: boolean
    readonly priceIds: Readonly<Record<PlanId, string>>
    readonly portalConfiguration: string | null
  }
  /** Null while the sandbox takes the mail. */
  readonly smtpUrl: string | null
  readonly mailFrom: string
  readonly clockUrl: string | null
  readonly admin: { readonly passwordHash: string } | { readonly password: string; readonly wasMadeUp: boolean }
  readonly sessionSecret: string
  readonly masterKey: Buffer
  readonly emailHmacKey: Buffer
  /** Signs the heads of streams (`billing events seal`). */
  readonly auditKey: Buffer
}

const secretNames = ['SESSION_SECRET', 'MASTER_KEY', 'EMAIL_HMAC_KEY', 'AUDIT_KEY'] as const
const priceNames = ['STRIPE_PRICE_MONTHLY', 'STRIPE_PRICE_SIX_MONTH', 'STRIPE_PRICE_ANNUAL'] as const

/**
 * Reads the environment once. Throws StartupError with one message that names everything that
 * is wrong or missing. In the sandbox, secrets that are not set are made up and kept in DATA_DIR.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  // An empty variable is one that is not set: that is how compose files and shells pass them.
  const filled = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const parsed = environment.safeParse(filled)
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${lowerFirst(issue.message)}`)
    throw new StartupError(`Some settings cannot be used: ${problems.join('; ')}. Correct them and start again.`)
  }
  const settings = parsed.data
  const playsStripe = settings.STRIPE_SECRET_KEY === undefined
  const playsMail = settings.SMTP_URL === undefined
  const isSandboxed = playsStripe || playsMail
  const isProduction = settings.NODE_ENV === 'production'
  const publicUrl = (settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`).replace(/\/+$/, '')

  refuseIncomplete(settings, { isProduction, playsStripe, playsMail, isSandboxed })
  refuseOpenHttp(publicUrl, settings.ALLOW_SANDBOX)
  if (settings.EVENTSTORE_URL !== undefined) parseConnectionString(settings.EVENTSTORE_URL)

  // Only when something is missing: a container that was given everything need not write anywhere.
  const madeUp = isSandboxed && !hasEverySecret(settings) ? sandboxSecrets(settings.DATA_DIR) : null
  const secret = (name: (typeof secretNames)[number]) => settings[name] ?? required(madeUp?.[name], name)
  const webhookSecret = settings.STRIPE_WEBHOOK_SECRET ?? madeUp?.STRIPE_WEBHOOK_SECRET
  const secretKey = settings.STRIPE_SECRET_KEY ?? 'sk_test_sandbox'

  return {
    isProduction,
    role: settings.ROLE,
    logLevel: settings.LOG_LEVEL ?? (isProduction ? 'info' : 'warn'),
    projectionShards: settings.PROJECTION_SHARDS,
    port: settings.PORT,
    host: settings.HOST,
    metricsPort: settings.METRICS_PORT ?? null,
    publicUrl,
    trustProxy: settings.TRUST_PROXY,
    dataDir: settings.DATA_DIR,
    databaseUrl: settings.DATABASE_URL ?? null,
    eventStoreUrl: settings.EVENTSTORE_URL ?? null,
    sandbox: isSandboxed ? { url: settings.SANDBOX_URL?.replace(/\/+$/, '') ?? null, port: settings.SANDBOX_PORT, playsStripe, playsMail } : null,
    stripe: {
      secretKey,
      webhookSecrets: required(webhookSecret, 'STRIPE_WEBHOOK_SECRET').split(',').map((part) => part.trim()),
      livemode: /^[a-z]+_live_/.test(secretKey),
      priceIds: {
        monthly: settings.STRIPE_PRICE_MONTHLY ?? sandboxPriceIds.monthly,
        'six-month': settings.STRIPE_PRICE_SIX_MONTH ?? sandboxPriceIds['six-month'],
        annual: settings.STRIPE_PRICE_ANNUAL ?? sandboxPriceIds.annual,
      },
      portalConfiguration: settings.STRIPE_PORTAL_CONFIGURATION ?? null,
    },
    smtpUrl: settings.SMTP_URL ?? null,
    mailFrom: settings.MAIL_FROM,
    clockUrl: settings.CLOCK_URL ?? (settings.SANDBOX_URL === undefined ? null : `${settings.SANDBOX_URL.replace(/\/+$/, '')}/clock`),
    admin: adminOf(settings, madeUp?.ADMIN_PASSWORD),
    sessionSecret: secret('SESSION_SECRET'),
    masterKey: Buffer.from(secret('MASTER_KEY'), 'hex'),
    emailHmacKey: Buffer.from(secret('EMAIL_HMAC_KEY'), 'hex'),
    auditKey: Buffer.from(secret('AUDIT_KEY'), 'hex'),
  }
}

type Settings = z.infer<typeof environment>

export type SettingName = keyof Settings

/** Every name that the environment may set. */
export const settingNames: readonly string[] = Object.keys(environment.shape)

function refuseIncomplete(
  settings: Settings,
  is: { isProduction: boolean; playsStripe: boolean; playsMail: boolean; isSandboxed: boolean },
): void {
  if (is.isSandboxed && (!is.isProduction || settings.ALLOW_SANDBOX)) {
    if (!is.playsStripe) refuseMissing(settings, ['STRIPE_WEBHOOK_SECRET', ...priceNames])
    // What several processes share cannot be made up by one of them.
    if (settings.SANDBOX_URL !== undefined) refuseMissing(settings, ['STRIPE_WEBHOOK_SECRET', 'SMTP_URL', ...secretNames])
    return
  }
  refuseMissing(settings, [
    'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', ...priceNames, 'SMTP_URL', ...secretNames, 'ADMIN_PASSWORD_HASH',
    ...(is.isProduction ? (['PUBLIC_URL'] as const) : []),
  ])
}

function hasEverySecret(settings: Settings): boolean {
  const names = [...secretNames, 'STRIPE_WEBHOOK_SECRET'] as const
  return names.every((name) => settings[name] !== undefined) && (settings.ADMIN_PASSWORD_HASH ?? settings.ADMIN_PASSWORD) !== undefined
}

function refuseMissing(settings: Settings, names: readonly (keyof Settings)[]): void {
  const missing = names.filter((name) => settings[name] === undefined)
  if (missing.length === 0) return
  throw new StartupError(
    `These settings are missing: ${missing.join(', ')}. Set them in the environment; ` +
      `to try the product with the sandbox in their place, leave the Stripe and SMTP settings away and set ALLOW_SANDBOX=1.`,
  )
}

function refuseOpenHttp(publicUrl: string, isAllowed: boolean): void {
  const { protocol, hostname } = new URL(publicUrl)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname) || hostname.endsWith('.localhost')
  if (protocol === 'https:' || isLocal || isAllowed) return
  throw new StartupError(
    `PUBLIC_URL is ${publicUrl}: over http anybody on the way can read sessions. Use https, or set ALLOW_SANDBOX=1 to try it out.`,
  )
}

function adminOf(settings: Settings, madeUp: string | undefined): Config['admin'] {
  if (settings.ADMIN_PASSWORD_HASH !== undefined) return { passwordHash: settings.ADMIN_PASSWORD_HASH }
  if (settings.ADMIN_PASSWORD !== undefined) return { password: settings.ADMIN_PASSWORD, wasMadeUp: false }
  return { password: required(madeUp, 'ADMIN_PASSWORD_HASH'), wasMadeUp: true }
}

function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new StartupError(`The setting ${name} is missing. Set it in the environment.`)
  return value
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1)
}
