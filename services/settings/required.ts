import { StartupError } from '#services/foundation/startup-error'

/** @throws StartupError if the setting is missing */
export function required(value: string | undefined, name: string): string {
  if (value === undefined)
    throw new StartupError(`The setting ${name} is missing. Set it in the environment.`)
  return value
}
