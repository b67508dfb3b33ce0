import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { explainFileError } from '#services/foundation/explain-file-error'
import { makeDirectory } from '#services/foundation/make-directory'
import { StartupError } from '#services/foundation/startup-error'
import { errorCodeOrText } from '#services/foundation/error-code'

const secrets = z.object({
  SESSION_SECRET: z.string().min(32),
  MASTER_KEY: z.string().length(64),
  EMAIL_HMAC_KEY: z.string().length(64),
  PORTAL_KEY: z.string().length(64),
  AUDIT_KEY: z.string().length(64),
  STRIPE_WEBHOOK_SECRET: z.string().min(1),
  ADMIN_PASSWORD: z.string().min(1),
})

/**
 * The secrets that the product generates for the sandbox. DATA_DIR keeps them beside the data that
 * they encrypt: with another MASTER_KEY the next start could not read the log.
 * @throws StartupError if DATA_DIR cannot be used or the kept secrets are damaged
 */
export function sandboxSecrets(dataDir: string): z.infer<typeof secrets> {
  const path = join(dataDir, 'sandbox-secrets.json')
  const kept = readKept(path)
  if (kept !== null) return kept
  const made = {
    SESSION_SECRET: randomBytes(32).toString('hex'),
    MASTER_KEY: randomBytes(32).toString('hex'),
    EMAIL_HMAC_KEY: randomBytes(32).toString('hex'),
    PORTAL_KEY: randomBytes(32).toString('hex'),
    AUDIT_KEY: randomBytes(32).toString('hex'),
    STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('hex')}`,
    ADMIN_PASSWORD: randomBytes(9).toString('base64url'),
  }
  try {
    makeDirectory(dataDir)
    keepFirst(path, `${JSON.stringify(made, null, 2)}\n`)
  } catch (error) {
    const explained = explainFileError(error, resolve(dataDir))
    if (explained instanceof StartupError) throw explained
    throw new StartupError(
      `The data directory ${resolve(dataDir)} cannot be used (${errorCodeOrText(error)}): set DATA_DIR to another directory.`,
    )
  }
  return readKept(path) ?? made
}

/**
 * Writes the file unless another process wrote it meanwhile: two processes with different keys
 * would encrypt data that the other one cannot read. The content goes to a temporary file first, so
 * a crash leaves no partial file.
 */
function keepFirst(path: string, content: string): void {
  const partial = `${path}.${randomBytes(4).toString('hex')}.new`
  writeFileSync(partial, content, { mode: 0o600, flush: true })
  try {
    linkSync(partial, path)
  } catch (error) {
    if (errorCodeOrText(error) === 'EEXIST') return
    // A file system without links has only the rename, which replaces the file of another process.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(errorCodeOrText(error))) throw error
    renameSync(partial, path)
  } finally {
    rmSync(partial, { force: true })
  }
}

function readKept(path: string): z.infer<typeof secrets> | null {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    // ENOTDIR: DATA_DIR is a file. `makeDirectory` then reports it.
    if (['ENOENT', 'ENOTDIR'].includes(errorCodeOrText(error))) return null
    throw new StartupError(
      `${path} cannot be read (${errorCodeOrText(error)}). Give this user access to it, or set DATA_DIR to another directory.`,
    )
  }
  const parsed = secrets.safeParse(parseJson(content))
  if (parsed.success) return parsed.data
  throw new StartupError(
    `${path} is damaged. Restore a copy of it: without its keys the data in this directory cannot be read.`,
  )
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return null
  }
}
