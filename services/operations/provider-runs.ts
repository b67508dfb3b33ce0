import { StartupError } from '#services/foundation/startup-error'
import { refuseMisspelledSettings } from '#services/settings/refuse-misspelled-settings'
import { parseSettings, type Settings } from '#services/settings/settings'
import { withSettingsFromFiles } from '#services/settings/settings-from-files'

const patienceMs = 5_000

/**
 * For a command that calls the payment provider. Without STRIPE_SECRET_KEY the sandbox is the
 * provider, and it answers only while a product runs. Creates and opens nothing, so that a refused
 * command leaves no data directory.
 * @throws StartupError if the sandbox is the provider and does not answer within 5 s
 */
export async function assertProviderRuns(env: NodeJS.ProcessEnv): Promise<void> {
  const given = withSettingsFromFiles(env)
  refuseMisspelledSettings(given)
  const settings = parseSettings(given)
  if (settings.STRIPE_SECRET_KEY === undefined) await assertSandboxAnswers(sandboxUrlOf(settings))
}

/** The sandbox at SANDBOX_URL, or of the product on this machine. Without a slash at the end. */
export function sandboxUrlOf({
  SANDBOX_URL,
  SANDBOX_PORT,
}: Pick<Settings, 'SANDBOX_URL' | 'SANDBOX_PORT'>): string {
  return (SANDBOX_URL ?? `http://127.0.0.1:${SANDBOX_PORT}`).replace(/\/+$/, '')
}

/** @throws StartupError if the sandbox at `url` does not answer within 5 s */
export async function assertSandboxAnswers(url: string): Promise<void> {
  if (await isAnswering(url)) return
  throw new StartupError(
    `The sandbox at ${url} does not answer, and the command uses it as the payment provider. Start the product with npm start and run the command again, or set STRIPE_SECRET_KEY to use an account at Stripe.`,
  )
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/clock`, { signal: AbortSignal.timeout(patienceMs) })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}
