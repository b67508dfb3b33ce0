import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StartupError } from '#services/foundation/startup-error'
import type { KeyName } from '#services/operations/backup/backup-format'
import { withSettingsFromFiles } from '#services/start/settings-from-files'

/**
 * Refuses data of another system before a database or keys are made for it here: keys that are made up now open nothing of it.
 * `why` says what needs the keys.
 * @throws StartupError
 */
export function refuseWithoutKeys(names: readonly KeyName[], why: string): void {
  const unset = unsetKeys(names)
  if (unset.length > 0 && !existsSync(sandboxSecretsFile()))
    throw new StartupError(`${why} ${howToBring(unset)}`)
}

/** Those that no setting gives. A sandbox makes them up, and keeps them in its file. */
export function unsetKeys(names: readonly KeyName[]): readonly KeyName[] {
  const env = withSettingsFromFiles(process.env)
  return names.filter((name) => (env[name] ?? '').trim() === '')
}

/** Absolute. */
export function sandboxSecretsFile(): string {
  return join(dataDir(), 'sandbox-secrets.json')
}

/** What the operator does where the keys here are missing, or others. */
export function howToBring(names: readonly KeyName[]): string {
  const unset = unsetKeys(names)
  const setThem = `Set ${names.join(', ')} as in the system that this comes from, and run this again.`
  if (unset.length === 0) return setThem
  const here = quoted(dataDir())
  return `${setThem} If the sandbox there made up ${unset.join(', ')}, bring its file instead:\n  mkdir -p ${here} && cp <its DATA_DIR>/sandbox-secrets.json ${here}/`
}

function dataDir(): string {
  const setting = (process.env['DATA_DIR'] ?? '').trim()
  return resolve(setting === '' ? '.data' : setting)
}

/** For a shell. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
