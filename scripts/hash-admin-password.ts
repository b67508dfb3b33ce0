import { createInterface } from 'node:readline/promises'
import { hashAdminPassword } from '#services/admin/admin-password'

/** Prints the ADMIN_PASSWORD_HASH of a password that is typed or piped in, so that it stays out of the shell's history. */
const input = createInterface({ input: process.stdin, output: process.stderr })
const password = await input.question('Password: ')
input.close()
if (password.length < 12) {
  process.stderr.write('Choose a password of 12 characters or more.\n')
  process.exitCode = 1
} else {
  process.stdout.write(`${await hashAdminPassword(password)}\n`)
}
