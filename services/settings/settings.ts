import { isAbsolute } from 'node:path'
import { distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { brand } from '#contracts/brand/brand'
import { plans, priceSettingOf, type PriceSetting } from '#contracts/plans'
import { maxShards } from '#projections/engine/run/shard'
import { StartupError } from '#services/foundation/startup-error'
import { parseTimeZone, type TimeZone } from '#services/finance/time-zone'
import { longestToken } from '#services/mail/return-addresses'
import { senderOf } from '#services/mail/sender'

// Each check's text completes "NAME is "value" and …", or "NAME …" where the value is a secret.
const positiveInteger = (min: number, max: number) => {
  const rule = `must be a whole number from ${min} to ${max}`
  const digits = z
    .string()
    .regex(/^\d{1,9}$/, rule)
    .transform(Number)
  return digits.refine((value) => value >= min && value <= max, rule)
}
const oneOf = <const Value extends string>(values: readonly Value[]) =>
  z.enum(values, `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1) ?? ''}`)
const port = positiveInteger(1, 65_535)
const text = z.string().trim().min(1)
const flag = oneOf(['0', '1', 'true', 'false']).transform(
  (value) => value === '1' || value === 'true',
)
const webAddress = z.url({
  protocol: /^https?$/,
  error: 'must be an address such as https://billing.example.com',
  abort: true,
})
/** The pages, their files and the return from a checkout have fixed paths: below `/`. */
const publicAddress = webAddress.refine(
  (address) => /^https?:\/\/[^/?#@]+\/*$/i.test(address),
  'must be only scheme, host and port, such as https://billing.example.com',
)
/** The most signs before the `@` (RFC 5321), without the `+` and what names a mail. */
const longestBounceLocal = 64 - 1 - longestToken
const bounceAddress = z
  .email('must be an e-mail address such as bounce@example.com')
  .refine(
    (address) => address.indexOf('@') <= longestBounceLocal && !address.includes('+'),
    `must have at most ${longestBounceLocal} signs before the @, and no +: the product adds one`,
  )
/** The commands run in any directory. */
const absolutePath = text.refine(isAbsolute, 'must be an absolute path such as /mnt/seals')
const key = z
  .string()
  .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits (32 bytes): openssl rand -hex 32')

/** `kind`: the end of the first line of a block, such as CERTIFICATE. */
const pem = (kind: string) =>
  text.refine(
    (content) => new RegExp(`-----BEGIN [A-Z ]*${kind}-----`).test(content),
    `must be a text in PEM, with a line that ends with ${kind}-----`,
  )

const timeZone = z.string().transform((name, context) => {
  const zone = parseTimeZone(name)
  if (zone !== null) return zone
  context.addIssue({
    code: 'custom',
    message: 'must be the name of a time zone, such as UTC or America/New_York',
  })
  return z.NEVER
})

/** Codes as ISO 3166-1 alpha-2. `UK` is no code: the code of the United Kingdom is GB. */
const countries = z
  .string()
  .refine(
    (codes) => codes.split(',').every(isCountry),
    'must be codes of countries, separated by commas, such as US,CA',
  )
  .transform((codes): ReadonlySet<string> => new Set(codes.split(',')))

function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || new Intl.Locale(`und-${code}`).region !== code) return false
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return names.of(code) !== undefined
}

/** One setting per plan of the catalogue. */
const priceSettings = Object.fromEntries(
  plans.map(({ id }) => [priceSettingOf(id), text.optional()]),
) as Record<PriceSetting, z.ZodOptional<typeof text>>

const environment = z.object({
  NODE_ENV: z.string().refine(isNotMisspelled, 'must be spelled "production"').optional(),
  PORT: port.default(3000),
  HOST: text.default('127.0.0.1'),
  PUBLIC_URL: publicAddress.optional(),
  DATA_DIR: text.optional(),
  DATABASE_URL: z
    .url({
      protocol: /^postgres(ql)?$/,
      error: 'must look like postgres://user:password@host:5432/database',
    })
    .optional(),
  EVENTSTORE_URL: text.optional(),
  SANDBOX_PORT: port.default(3001),
  SANDBOX_HOST: text.default('127.0.0.1'),
  SANDBOX_URL: webAddress.optional(),
  ALLOW_SANDBOX: flag.default(false),
  STRIPE_SECRET_KEY: text.optional(),
  STRIPE_PUBLISHABLE_KEY: text
    .regex(/^pk_(test|live)_\w+$/, 'must be a publishable key of Stripe, such as pk_live_…')
    .optional(),
  STRIPE_WEBHOOK_SECRET: text.optional(),
  STRIPE_CONNECT_WEBHOOK_SECRET: text.optional(),
  ...priceSettings,
  STRIPE_PORTAL_CONFIGURATION: text.optional(),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must look like smtp://user:password@host:587' })
    .optional(),
  MAIL_FROM: text.default(senderOf(brand)),
  BOUNCE_ADDRESS: bounceAddress.optional(),
  BOUNCE_SECRET: text.min(32, 'must have 32 characters or more').optional(),
  BOUNCE_PORT: port.optional(),
  BOUNCE_TLS_CERTIFICATE: pem('CERTIFICATE').optional(),
  BOUNCE_TLS_KEY: pem('PRIVATE KEY').optional(),
  MAILS_PER_SECOND: positiveInteger(1, 1_000).default(10),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/i, 'must be AC and 32 hexadecimal digits')
    .optional(),
  TWILIO_AUTH_TOKEN: text.optional(),
  TWILIO_FROM: z
    .string()
    .regex(/^\+[1-9]\d{6,14}$/, 'must be a phone number such as +12185550100')
    .optional(),
  TEXT_COUNTRIES: countries.prefault('US,CA'),
  ADMIN_PASSWORD: text.optional(),
  ADMIN_PASSWORD_HASH: text.optional(),
  SECOND_PERSON_REFUND_ABOVE: positiveInteger(0, 999_999_999).optional(),
  SECOND_PERSON_EXPORT_ABOVE: positiveInteger(0, 999_999_999).optional(),
  SESSION_SECRET: text.min(32, 'must have 32 characters or more').optional(),
  SESSION_SECRET_PREVIOUS: text.min(32, 'must have 32 characters or more').optional(),
  MASTER_KEY: key.optional(),
  MASTER_KEY_PREVIOUS: key.optional(),
  EMAIL_HMAC_KEY: key.optional(),
  EMAIL_HMAC_KEY_PREVIOUS: key.optional(),
  PORTAL_KEY: key.optional(),
  PORTAL_KEY_PREVIOUS: key.optional(),
  AUDIT_KEY: key.optional(),
  UNPROVEN_EVENTS: oneOf(['refuse', 'accept']).default('refuse'),
  SEAL_DIRECTORY: absolutePath.optional(),
  SEAL_PROGRAM: absolutePath.optional(),
  SEAL_LIST_PROGRAM: absolutePath.optional(),
  CLOCK_URL: webAddress.optional(),
  REPORTING_TIME_ZONE: timeZone.default('UTC' as TimeZone),
  TRUST_PROXY: flag.default(false),
  ROLE: oneOf(['all', 'api', 'projector', 'reactor']).default('all'),
  PROJECTION_SHARDS: positiveInteger(1, maxShards).default(1),
  REQUEST_CONNECTIONS: positiveInteger(12, 300).default(22),
  METRICS_PORT: port.optional(),
  METRICS_HOST: text.optional(),
  API_DOCS: flag.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an address such as http://localhost:4318' })
    // The product adds the path.
    .regex(/^[^?#]*$/, 'must be an address without ? and #, such as http://localhost:4318')
    .optional(),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
})

/**
 * A misspelled `production` would start the sandbox. Any other word is a name that the operator
 * chose.
 */
function isNotMisspelled(value: string): boolean {
  if (value === 'production') return true
  const word = value.trim().toLowerCase()
  return word !== 'prod' && distance(word, 'production') > 2
}

export type Settings = z.infer<typeof environment>

export type SettingName = keyof Settings

/** Every name that the environment may set. */
export const settingNames: readonly string[] = Object.keys(environment.shape)

/**
 * The settings that contain a secret, or an address that may contain a password. Each may come from
 * a file: NAME_FILE.
 */
export const secretSettings = [
  'DATABASE_URL',
  'EVENTSTORE_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_CONNECT_WEBHOOK_SECRET',
  'SMTP_URL',
  'BOUNCE_SECRET',
  'BOUNCE_TLS_CERTIFICATE',
  'BOUNCE_TLS_KEY',
  'TWILIO_AUTH_TOKEN',
  'ADMIN_PASSWORD',
  'ADMIN_PASSWORD_HASH',
  'SESSION_SECRET',
  'SESSION_SECRET_PREVIOUS',
  'MASTER_KEY',
  'MASTER_KEY_PREVIOUS',
  'EMAIL_HMAC_KEY',
  'EMAIL_HMAC_KEY_PREVIOUS',
  'PORTAL_KEY',
  'PORTAL_KEY_PREVIOUS',
  'AUDIT_KEY',
] as const satisfies readonly SettingName[]

/**
 * Parses the environment. An empty variable counts as not set, because compose files and shells
 * pass unset variables as empty.
 * @throws StartupError that names every setting that cannot be used, and its value unless the value
 * is a secret
 */
export function parseSettings(env: NodeJS.ProcessEnv): Settings {
  const filled = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )
  const parsed = environment.safeParse(filled)
  if (parsed.success) return parsed.data
  const ruleOf = new Map(parsed.error.issues.map(({ path, message }) => [path.join('.'), message]))
  const problems = [...ruleOf].map(([name, rule]) => problemWith(name, filled[name] ?? '', rule))
  throw new StartupError(
    `${problems.join('; ')}. Correct ${problems.length === 1 ? 'it' : 'them'} and start again.`,
  )
}

function problemWith(name: string, value: string, rule: string): string {
  if (secretSettings.some((secret) => secret === name)) return `${name} ${rule}`
  const origin = isServiceLink(value)
    ? ' (Kubernetes sets this value for a service of that name, unless enableServiceLinks is false)'
    : ''
  return `${name} is ${shown(value)} and ${rule}${origin}`
}

/**
 * Kubernetes and container links set the address of a service under the name of a port setting:
 * SANDBOX_PORT=tcp://10.0.0.7:3001.
 */
export function isServiceLink(value: string): boolean {
  return /^(tcp|udp|sctp):\/\//.test(value)
}

/** The value in quotes, on one line, without the password of an address. */
function shown(value: string): string {
  const text = value.replace(/(^|\/\/)[^@/]*@/, '$1***@')
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
}
