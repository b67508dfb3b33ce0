import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StartupError } from '#services/foundation/startup-error'
import { OtherKeys } from '#services/operations/backup/restore-backup'
import type { KeyName } from '#services/keys/key-fingerprints'
import { withSettingsFromFiles } from '#services/settings/settings-from-files'

/**
 * Refuses data of another system if its keys are missing here. The sandbox would otherwise generate
 * keys, which cannot decrypt that data. Call it before a database is opened. `why` completes the
 * message: what needs the keys.
 * @throws StartupError
 */
export function refuseWithoutKeys(names: readonly KeyName[], why: string): void {
  const unset = unsetKeys(names)
  if (unset.length > 0 && !existsSync(sandboxSecretsFile()))
    throw new StartupError(`${why} ${howToProvideKeys(unset)}`)
}

/** The keys that no setting has. A sandbox generates them and keeps them in its file. */
export function unsetKeys(names: readonly KeyName[]): readonly KeyName[] {
  const env = withSettingsFromFiles(process.env)
  return names.filter((name) => (env[name] ?? '').trim() === '')
}

/** Absolute path. */
export function sandboxSecretsFile(): string {
  return join(dataDir(), 'sandbox-secrets.json')
}

/**
 * Adds to the error of other keys what the operator must do. Any other error stays as it is.
 * @throws StartupError, or `error`
 */
export function explainOtherKeys(error: unknown): never {
  throw error instanceof OtherKeys
    ? new StartupError(`${error.message} ${howToProvideKeys(error.keys)}`)
    : error
}

/** What the operator must do if keys are missing here or differ. */
export function howToProvideKeys(names: readonly KeyName[]): string {
  const unset = unsetKeys(names)
  const setThem = `Set ${names.join(', ')} to the values of the system that the data comes from, and run the command again.`
  if (unset.length === 0) return setThem
  const here = quoted(dataDir())
  return `${setThem} If a sandbox generated ${unset.join(', ')} there, copy its file instead:\n  mkdir -p ${here} && cp <its DATA_DIR>/sandbox-secrets.json ${here}/`
}

function dataDir(): string {
  const setting = (process.env['DATA_DIR'] ?? '').trim()
  return resolve(setting === '' ? '.data' : setting)
}

/** The path as one word of a shell. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
