import { z } from 'zod'
import { StartupError } from './startup-error.ts'

export interface SandboxConfig {
  /** The address to listen on; the sandbox is for this machine, so 127.0.0.1 unless told otherwise. */
  readonly host: string
  /** 0 chooses a free port. */
  readonly port: number
  readonly smtpPort: number
  readonly databaseUrl: string
  /** Where a browser reaches the sandbox; null is http://localhost and the port. */
  readonly ownUrl: string | null
  /** The product's address, for links back. */
  readonly productUrl: string
  /** Where signed webhooks go; null sends none. */
  readonly webhook: { readonly url: string; readonly secret: string } | null
}

const port = z.coerce.number().int().min(0).max(65_535)

const environment = z
  .object({
    HOST: z.string().min(1).default('127.0.0.1'),
    SANDBOX_PORT: port.default(3001),
    SANDBOX_SMTP_PORT: port.default(0),
    SANDBOX_DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'is a postgres:// address'),
    SANDBOX_PUBLIC_URL: z.url().optional(),
    PUBLIC_URL: z.url().default('http://localhost:3000'),
    WEBHOOK_URL: z.url().optional(),
    STRIPE_WEBHOOK_SECRET: z.string().regex(/^\S+$/, 'is one word, such as whsec_…').optional(),
  })
  .refine((env) => env.WEBHOOK_URL === undefined || env.STRIPE_WEBHOOK_SECRET !== undefined, {
    path: ['STRIPE_WEBHOOK_SECRET'],
    message: 'is needed to sign what goes to WEBHOOK_URL',
  })

/** Every name that the environment may set. */
export const sandboxSettingNames: readonly string[] = Object.keys(environment.shape)

/** Reads the environment once; throws a StartupError that names every setting that is wrong. */
export function readConfig(env: NodeJS.ProcessEnv): SandboxConfig {
  const set = Object.fromEntries(sandboxSettingNames.map((name) => [name, env[name] === '' ? undefined : env[name]]))
  const parsed = environment.safeParse(set)
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
    throw new StartupError(`The sandbox cannot start; mend these settings: ${wrong.join('; ')}.`)
  }
  const settings = parsed.data
  return {
    host: settings.HOST,
    port: settings.SANDBOX_PORT,
    smtpPort: settings.SANDBOX_SMTP_PORT,
    databaseUrl: settings.SANDBOX_DATABASE_URL,
    ownUrl: settings.SANDBOX_PUBLIC_URL ?? null,
    productUrl: settings.PUBLIC_URL,
    webhook:
      settings.WEBHOOK_URL === undefined || settings.STRIPE_WEBHOOK_SECRET === undefined
        ? null
        : { url: settings.WEBHOOK_URL, secret: settings.STRIPE_WEBHOOK_SECRET },
  }
}
