import { StartupError } from '#services/foundation/startup-error'
import type { Settings } from './settings.ts'

/** @throws StartupError that names every setting of `names` that is not set */
export function refuseMissing(
  settings: Settings,
  names: readonly (keyof Settings)[],
  {
    alsoMissing = [],
    publicUrl = null,
  }: { alsoMissing?: readonly string[]; publicUrl?: string | null } = {},
): void {
  const unset = names.filter((name) => settings[name] === undefined)
  if (unset.length === 0) return
  const missing = [...unset, ...alsoMissing].join(', ')
  throw new StartupError(
    publicUrl === null
      ? `These settings are missing: ${missing}. Set them in the environment. ` +
          `To try the product with the sandbox, remove the Stripe and SMTP settings and set ALLOW_SANDBOX=1.`
      : `PUBLIC_URL is ${publicUrl}, a public address, and these settings are missing: ${missing}. ` +
          `The sandbox in their place accepts test cards and shows every mail with its sign-in code. ` +
          `Set them in the environment. To try the product with the sandbox, set ALLOW_SANDBOX=1.`,
  )
}
