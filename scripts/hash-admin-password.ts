import { hashAdminPassword } from '#services/admin/admin-password'
import { createSlowHash } from '#services/foundation/slow-hash'
import { StartupError } from '#services/foundation/startup-error'
import { readPassword } from './read-password.ts'

/**
 * Prints the ADMIN_PASSWORD_HASH of a password. The password is typed or piped in, so that the
 * shell's history does not contain it.
 */
try {
  process.stdout.write(`${await hashAdminPassword(await readPassword(), createSlowHash())}\n`)
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
