import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { AdminLoginParts } from '#services/admin/login-routes'
import { createSignInCodeStore } from '#services/accounts/sign-in-code-store'
import { createAdministrators } from '#services/administrators/administrators'
import { parseAddressHmac } from '#contracts/ids'
import type { CommandHandler } from '#services/commands/handle-command'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import type { SlowHash } from '#services/foundation/slow-hash'
import { createLimits } from '#services/http/limits'
import type { Mailer } from '#services/mail/mailer'
import { createQuickHash } from './quick-hash.ts'

/** The parts of the administrators' login over a test database. `mailer` gets the mailed codes. */
export function adminLoginSide(
  pool: pg.Pool,
  commands: CommandHandler,
  {
    isPassword = () => Promise.resolve(true),
    mailer = {},
    slowHash = createQuickHash(),
  }: Partial<Pick<AdminLoginParts, 'isPassword'>> & {
    readonly mailer?: Partial<Pick<Mailer, 'send' | 'check'>>
    readonly slowHash?: SlowHash
  } = {},
): AdminLoginParts {
  return {
    commands,
    administrators: createAdministrators({ commands, clock: systemClock }),
    codes: createSignInCodeStore(pool, systemClock, slowHash),
    mailer: {
      check: () => Promise.resolve(),
      send: () => Promise.reject(new Error('No mail was expected.')),
      ...mailer,
    },
    hmacOf: (email) => parseAddressHmac(createHash('sha256').update(email).digest('hex')),
    limits: createLimits(pool),
    clock: systemClock,
    ids: randomIds,
    isPassword,
  }
}
