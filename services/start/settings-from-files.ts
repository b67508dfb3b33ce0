import { readFileSync } from 'node:fs'
import { StartupError } from '#services/foundation/startup-error'
import { secretSettings } from './settings.ts'

/**
 * The environment with every secret that was handed over as a file: NAME_FILE is a path, and NAME
 * becomes what the file holds, without blanks around it. A container's environment is shown to
 * whoever may inspect it; a file is read once. Throws StartupError; nothing is written to `env`.
 */
export function withSettingsFromFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const fromFiles = secretSettings.flatMap((name) => {
    const path = filled(env[`${name}_FILE`])
    if (path === null) return []
    if (filled(env[name]) !== null)
      throw new StartupError(
        `${name} and ${name}_FILE are both set, and only one of them can hold. Take one away.`,
      )
    return [[name, contentOf(path, name)] as const]
  })
  return { ...env, ...Object.fromEntries(fromFiles) }
}

function contentOf(path: string, name: string): string {
  let content: string
  try {
    content = readFileSync(path, 'utf8').trim()
  } catch (error) {
    const reason =
      typeof error === 'object' && error !== null && 'code' in error
        ? String(error.code)
        : String(error)
    throw new StartupError(
      `${name}_FILE is ${path}, which cannot be read (${reason}). Put the secret there and let this user read it, or set ${name} instead.`,
    )
  }
  if (content === '')
    throw new StartupError(`${name}_FILE is ${path}, which is empty. Put the secret there.`)
  return content
}

function filled(value: string | undefined): string | null {
  return value === undefined || value.trim() === '' ? null : value.trim()
}
