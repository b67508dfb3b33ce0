import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashAdminPassword } from '#services/admin/admin-password'
import { createSlowHash } from '#services/foundation/slow-hash'
import { StartupError } from '#services/foundation/startup-error'
import { makeDirectory } from '#services/foundation/make-directory'
import { errorCodeOrText } from '#services/foundation/error-code'
import { clusterUrl, explainKeptAddress, singleNodeUrl } from './kept-log-address.ts'

export interface MadeSecrets {
  /** Names of the files that were generated, in the order of generation. */
  readonly made: readonly string[]
  /** Names of the files that existed. */
  readonly kept: readonly string[]
  /** The password itself; the file contains only its hash. Null if the file existed. */
  readonly adminPassword: string | null
  /**
   * Why the kept address of the event log is not the requested one, and what to do. Null if it is.
   */
  readonly wrongLog: string | null
}

/**
 * Generates every secret of the compose files that is a random value, one file each, and keeps
 * every file that exists. Only the owner may enter the directory. Every account may read the files,
 * because containers mount them and read them under different accounts.
 * @throws StartupError if the directory is open to others, or a file cannot be read or written
 */
export async function makeSecrets(
  directory: string,
  { cluster }: { readonly cluster: boolean },
): Promise<MadeSecrets> {
  openDirectory(directory)
  const made: string[] = []
  const kept: string[] = []
  let adminPassword: string | null = null

  const databasePassword = await file('postgres_password', hex)
  await file('database_url', () => `postgres://billing:${databasePassword}@postgres:5432/billing`)
  const eventStorePassword = await file('eventstore_admin_password', hex)
  await file('eventstore_ops_password', hex)
  const address = await file('eventstore_url', () =>
    cluster ? clusterUrl(eventStorePassword) : singleNodeUrl,
  )
  for (const name of ['session_secret', 'master_key', 'email_hmac_key', 'portal_key', 'audit_key'])
    await file(name, hex)
  await file('bounce_secret', hex)
  await file('sandbox_webhook_secret', () => `whsec_${hex()}`)
  await file('admin_password_hash', () => {
    adminPassword = randomBytes(12).toString('base64url')
    return hashAdminPassword(adminPassword, createSlowHash())
  })
  const wrongLog = explainKeptAddress(address, { cluster, directory })
  return { made, kept, adminPassword, wrongLog }

  async function file(name: string, make: () => string | Promise<string>): Promise<string> {
    const path = join(directory, name)
    try {
      if (existsSync(path)) {
        kept.push(name)
        return readFileSync(path, 'utf8').trim()
      }
      const secret = await make()
      // `wx` never overwrites: of two commands that run at the same time, one fails.
      writeFileSync(path, `${secret}\n`, { flag: 'wx', mode: 0o444, flush: true })
      made.push(name)
      return secret
    } catch (error) {
      throw new StartupError(
        `${path} cannot be read or created (${errorCodeOrText(error)}). Give this user access to it, or name another directory.`,
      )
    }
  }
}

const hex = () => randomBytes(32).toString('hex')

function openDirectory(directory: string): void {
  let mode: number
  try {
    makeDirectory(directory, 0o700)
    mode = statSync(directory).mode
  } catch (error) {
    throw new StartupError(
      `${directory} cannot be created (${errorCodeOrText(error)}). Name another directory.`,
    )
  }
  if (process.platform === 'win32' || (mode & 0o077) === 0) return
  throw new StartupError(
    `Other users may enter ${directory}, and could read the secrets: the files are readable for every account, because containers need that. Name a new directory, or run: chmod 700 ${directory}`,
  )
}
