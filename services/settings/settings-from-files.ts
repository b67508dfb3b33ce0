import { readFileSync } from 'node:fs'
import { StartupError } from '#services/foundation/startup-error'
import { errorCodeOrText } from '#services/foundation/error-code'
import { secretSettings } from './settings.ts'

/**
 * Returns the environment with the secrets from files: NAME_FILE is a path, and NAME becomes the
 * trimmed content of the file. A user who may inspect a container can read its environment, but not
 * the file. Does not change `env`.
 * @throws StartupError for a file that is empty or not readable, and if NAME and NAME_FILE are both
 * set
 */
export function withSettingsFromFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const fromFiles = secretSettings.flatMap((name) => {
    const path = filled(env[`${name}_FILE`])
    if (path === null) return []
    if (filled(env[name]) !== null)
      throw new StartupError(`${name} and ${name}_FILE are both set. Remove one of them.`)
    return [[name, contentOf(path, name)] as const]
  })
  return { ...env, ...Object.fromEntries(fromFiles) }
}

function contentOf(path: string, name: string): string {
  let content: string
  try {
    content = readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new StartupError(
      `${name}_FILE is ${path}. This file cannot be read (${errorCodeOrText(error)}). Write the secret into it and let this user read it, or set ${name} instead.`,
    )
  }
  if (content === '')
    throw new StartupError(`${name}_FILE is ${path}. This file is empty. Write the secret into it.`)
  return content
}

function filled(value: string | undefined): string | null {
  return value === undefined || value.trim() === '' ? null : value.trim()
}
