import type { Logger } from 'pino'
import { servesPages, type Config } from '#services/settings/config'
import { hostToConnect } from '#services/foundation/host-to-connect'
import { startSandboxProcess } from './sandbox-process.ts'

/**
 * A sandbox that this process started, or one that runs elsewhere and receives no mail from this
 * process.
 */
export interface ProvidedSandbox {
  readonly url: string
  readonly smtpUrl: string | null
  /** Stops the sandbox if this process started it. */
  stop(): Promise<void>
}

/**
 * Starts the sandbox, or names the one of SANDBOX_URL. Null if the process needs no sandbox.
 * @throws StartupError if the sandbox cannot start
 */
export async function provideSandbox(
  config: Pick<Config, 'sandbox' | 'role' | 'stripe' | 'publicUrl' | 'host' | 'isProduction'>,
  {
    databaseUrl,
    appPort,
    log,
  }: {
    readonly databaseUrl: string | null
    /** The port of the product, which receives the webhooks. */
    readonly appPort: number
    readonly log: Pick<Logger, 'error' | 'info'>
  },
): Promise<ProvidedSandbox | null> {
  // SANDBOX_URL names the sandbox that several processes share, with its clock.
  if (config.sandbox !== null && config.sandbox.url !== null)
    return { url: config.sandbox.url, smtpUrl: null, stop: () => Promise.resolve() }
  if (config.sandbox === null || databaseUrl === null || !servesPages(config.role)) return null
  const [connectSecret] = config.stripe.connectWebhookSecrets
  const product = `http://${hostToConnect(config.host)}:${appPort}`
  return startSandboxProcess(
    new URL('../sandbox/main.js', import.meta.url),
    config.sandbox.host,
    {
      SANDBOX_PORT: String(config.sandbox.port),
      SANDBOX_DATABASE_URL: databaseUrl,
      SANDBOX_SMTP_PORT: '0',
      STRIPE_WEBHOOK_SECRET: config.stripe.webhookSecrets[0] ?? '',
      WEBHOOK_URL: `${product}/api/stripe/webhook`,
      // Real keys without this secret beside a simulated mail server: nothing is sent.
      ...(connectSecret === undefined
        ? {}
        : {
            STRIPE_CONNECT_WEBHOOK_SECRET: connectSecret,
            CONNECT_WEBHOOK_URL: `${product}/api/webhooks/stripe-connect`,
          }),
      PUBLIC_URL: config.publicUrl,
      // The hosted pages have the same host name as the product.
      SANDBOX_PUBLIC_URL: `http://${new URL(config.publicUrl).hostname}:${config.sandbox.port}`,
    },
    log,
    config.isProduction,
  )
}
