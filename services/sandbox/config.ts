import { z } from 'zod'
import { StartupError } from '#services/foundation/startup-error'

export interface SandboxConfig {
  /** The address to listen on; 127.0.0.1 by default. */
  readonly host: string
  /** 0 chooses a free port. */
  readonly port: number
  readonly smtpPort: number
  readonly databaseUrl: string
  /** The sandbox's URL for browsers; null means http://localhost and the port. */
  readonly ownUrl: string | null
  /** The sandbox's URL for the product's processes, if it has another host than `ownUrl`. */
  readonly internalUrl: string | null
  /** The product's URL, for links back. */
  readonly productUrl: string
  /** The webhook endpoint and its signing secret; null sends no webhooks. */
  readonly webhook: { readonly url: string; readonly secret: string } | null
  /** The same for the events of connected accounts. */
  readonly connectWebhook: { readonly url: string; readonly secret: string } | null
}

// Each rule completes "NAME is "value" and …", or "NAME …" if the value is a secret.
const portRule = 'must be a whole number from 0 to 65535'
const port = z.coerce.number(portRule).int(portRule).min(0, portRule).max(65_535, portRule)
const databaseRule = 'must look like postgres://user:password@host:5432/database'
const addressRule = 'must be an address such as http://localhost:3000'

const webhookSecret = z.string().regex(/^\S+$/, 'must be one word, such as whsec_…').optional()

const environment = z
  .object({
    SANDBOX_HOST: z.string().min(1).default('127.0.0.1'),
    SANDBOX_PORT: port.default(3001),
    SANDBOX_SMTP_PORT: port.default(0),
    SANDBOX_DATABASE_URL: z.string(databaseRule).regex(/^postgres(ql)?:\/\//, databaseRule),
    SANDBOX_PUBLIC_URL: z.url(addressRule).optional(),
    SANDBOX_URL: z.url(addressRule).optional(),
    PUBLIC_URL: z.url(addressRule).default('http://localhost:3000'),
    WEBHOOK_URL: z.url(addressRule).optional(),
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    CONNECT_WEBHOOK_URL: z.url(addressRule).optional(),
    STRIPE_CONNECT_WEBHOOK_SECRET: webhookSecret,
  })
  .refine((env) => env.WEBHOOK_URL === undefined || env.STRIPE_WEBHOOK_SECRET !== undefined, {
    path: ['STRIPE_WEBHOOK_SECRET'],
    message: 'must be set: it signs the webhooks to WEBHOOK_URL',
  })
  .refine(
    (env) =>
      env.CONNECT_WEBHOOK_URL === undefined || env.STRIPE_CONNECT_WEBHOOK_SECRET !== undefined,
    {
      path: ['STRIPE_CONNECT_WEBHOOK_SECRET'],
      message: 'must be set: it signs the webhooks to CONNECT_WEBHOOK_URL',
    },
  )

/** The names of all settings. */
export const sandboxSettingNames: readonly string[] = Object.keys(environment.shape)

const secretNames = [
  'SANDBOX_DATABASE_URL',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_CONNECT_WEBHOOK_SECRET',
]

/**
 * Reads the environment once.
 * @throws StartupError that names every invalid setting, with its value unless the value is a
 * secret.
 */
export function readConfig(env: NodeJS.ProcessEnv): SandboxConfig {
  const set = Object.fromEntries(
    sandboxSettingNames.map((name) => [name, env[name] === '' ? undefined : env[name]]),
  )
  const parsed = environment.safeParse(set)
  if (!parsed.success) {
    const ruleOf = new Map(
      parsed.error.issues.map(({ path, message }) => [path.join('.'), message]),
    )
    const problems = [...ruleOf].map(([name, rule]) =>
      secretNames.includes(name)
        ? `${name} ${rule}`
        : `${name} is ${JSON.stringify(env[name])} and ${rule}`,
    )
    throw new StartupError(
      `${problems.join('; ')}. Correct ${problems.length === 1 ? 'it' : 'them'} and start the sandbox again.`,
    )
  }
  const settings = parsed.data
  return {
    host: settings.SANDBOX_HOST,
    port: settings.SANDBOX_PORT,
    smtpPort: settings.SANDBOX_SMTP_PORT,
    databaseUrl: settings.SANDBOX_DATABASE_URL,
    ownUrl: settings.SANDBOX_PUBLIC_URL ?? null,
    internalUrl: settings.SANDBOX_URL ?? null,
    productUrl: settings.PUBLIC_URL,
    webhook: endpointOf(settings.WEBHOOK_URL, settings.STRIPE_WEBHOOK_SECRET),
    connectWebhook: endpointOf(
      settings.CONNECT_WEBHOOK_URL,
      settings.STRIPE_CONNECT_WEBHOOK_SECRET,
    ),
  }
}

function endpointOf(url: string | undefined, secret: string | undefined): SandboxConfig['webhook'] {
  return url === undefined || secret === undefined ? null : { url, secret }
}
