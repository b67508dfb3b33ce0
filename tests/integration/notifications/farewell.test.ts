import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { UserId } from '#contracts/ids'
import { createAccounts, type Accounts } from '#services/accounts/accounts'
import { erasePerson, type EraseParts } from '#services/accounts/erase-person'
import { clearFarewells, findFarewell, keepFarewell } from '#services/accounts/farewell'
import { createEnquiryErasure } from '#services/enquiries/erase-enquiries'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { randomIds } from '#services/foundation/ids'
import { notificationStream } from '#services/foundation/stream-names'
import { MailNotSent } from '#services/mail/mailer'
import { oneEmailKey } from '../../support/data/one-email-key.ts'
import { testContext } from '../../support/data/test-context.ts'
import { tablesWithText } from '../../support/postgres/tables-with-text.ts'
import { createMailSide } from '../../support/product/mail-side.ts'
import { mailSideKey } from '../../support/product/mail-side-key.ts'
import { until } from '../../support/machine/until.ts'

/* The address that waits for the mail about an erasure: in no table, and for no longer. */

let side: Awaited<ReturnType<typeof createMailSide>>
let parts: EraseParts
let accounts: Accounts

beforeEach(async () => {
  side = await createMailSide()
  const { commands, clock } = side
  const { pool } = side.database
  const keys = createPersonalKeys(pool, mailSideKey)
  parts = {
    commands,
    clock,
    keys,
    pool,
    emailKeys: oneEmailKey(randomBytes(32)),
    enquiries: createEnquiryErasure({ commands, keys, clock }),
  }
  accounts = createAccounts({ ...parts, ids: randomIds })
})
afterEach(() => side.close())

async function verifiedAccount() {
  const email = `dana.${randomUUID()}@example.com`
  const { account } = await accounts.findOrOpen(email, testContext())
  await accounts.signIn(account.userId, email, null, testContext())
  return { userId: account.userId, email }
}

const erase = (userId: UserId, over: Partial<EraseParts> = {}) =>
  erasePerson(userId, { ...parts, ...over }, testContext())

/** Whether there is a row, and whether there is a key. */
async function kept() {
  const { rows } = await side.database.pool.query<{ row: boolean; key: boolean }>(
    `SELECT EXISTS (SELECT FROM app.farewell) AS row,
       EXISTS (SELECT FROM app.personal_key WHERE subject LIKE 'farewell%' AND wrapped_key IS NOT NULL) AS key`,
  )
  return rows[0]
}

const plain = (email: string) => tablesWithText(side.database.pool, [email])

/** Until the effect of PersonalDataErased is `as`. */
const untilEntry = (as: 'done' | 'dead') =>
  until(async () => {
    const { rowCount } = await side.database.pool.query(
      `SELECT 1 FROM app.outbox WHERE event_type = 'PersonalDataErased' AND ${as}_at IS NOT NULL`,
    )
    return rowCount === 1
  }, `the mail is not ${as}`)

/** Verified before the reactor's first start, so that only the erasure causes a mail. */
async function erasedBeforeTheMail(mails: ReturnType<typeof side.mailing>) {
  const { userId, email } = await verifiedAccount()
  side.time.now += 1_000
  const stop = mails.start()
  await side.started()
  await stop()
  side.time.now += 1_000
  await erase(userId)
  return { userId, email }
}

describe('the address for the last mail', () => {
  it('is encrypted until the mail is sent, and then destroyed with its key', async () => {
    const mails = side.mailing()
    const { userId, email } = await erasedBeforeTheMail(mails)
    expect(await kept()).toEqual({ row: true, key: true })
    expect(await plain(email)).toEqual([])
    expect(await findFarewell(parts, userId)).toBe(email)

    const stop = mails.start()
    await untilEntry('done')
    await stop()
    expect(mails.to(email)).toHaveLength(1)
    expect(await kept()).toEqual({ row: false, key: false })
    expect(await plain(email)).toEqual([])
    // Without the keys that this process still remembers.
    const codec = createCodec(createPersonalKeys(side.database.pool, mailSideKey))
    const stored = await side.store.readStream(notificationStream(userId))
    expect(await codec.decodeStream(stored)).toMatchObject([
      { type: 'MailSent', data: { to: '[erased]' } },
    ])
  })

  it('is destroyed if the mail is given up', async () => {
    const mails = side.mailing(async ({ to }) => {
      throw new MailNotSent({ code: 'EMESSAGE', responseCode: 554, command: 'DATA', response: to })
    })
    const { email } = await erasedBeforeTheMail(mails)
    const stop = mails.start()
    await untilEntry('dead')
    await stop()
    expect(await kept()).toEqual({ row: false, key: false })
    expect(await plain(email)).toEqual([])
  })

  it('is not kept again by another erasure after the mail', async () => {
    const mails = side.mailing()
    const { userId, email } = await erasedBeforeTheMail(mails)
    const stop = mails.start()
    await untilEntry('done')
    await stop()
    await keepFarewell(parts, userId, email)
    // Another process.
    await keepFarewell(
      { ...parts, keys: createPersonalKeys(side.database.pool, mailSideKey) },
      userId,
      email,
    )
    expect(await kept()).toEqual({ row: false, key: false })
  })

  it('is the address of the erasure, not that of one that was interrupted before', async () => {
    const { userId, email } = await verifiedAccount()
    await keepFarewell(parts, userId, 'former@example.com')
    await erase(userId)
    expect(await findFarewell(parts, userId)).toBe(email)
  })
})

describe('addresses whose mail never comes', () => {
  const age = (days: number) =>
    side.database.pool.query(
      `WITH rows AS (UPDATE app.farewell SET created_at = now() - make_interval(days => $1))
       UPDATE app.personal_key SET created_at = now() - make_interval(days => $1)`,
      [days],
    )

  it('are destroyed after 7 days', async () => {
    const { userId } = await verifiedAccount()
    await erase(userId)
    await age(6)
    expect(await clearFarewells(parts)).toBe(0)
    await age(8)
    expect(await clearFarewells(parts)).toBe(1)
    expect(await kept()).toEqual({ row: false, key: false })
    expect(await findFarewell(parts, userId)).toBeNull()
  })

  it('are destroyed at once if the mail has its outcome, as in a database from a copy of files', async () => {
    const mails = side.mailing()
    const { userId } = await erasedBeforeTheMail(mails)
    const { rows } = await side.database.pool.query(
      `SELECT f.*, k.wrapped_key, k.wrapped_by FROM app.farewell f, app.personal_key k WHERE k.subject = 'farewell-' || user_id`,
    )
    const stop = mails.start()
    await untilEntry('done')
    await stop()
    const [row] = rows as Record<string, unknown>[]
    await side.database.pool.query(`INSERT INTO app.farewell (user_id, address) VALUES ($1, $2)`, [
      row?.['user_id'],
      row?.['address'],
    ])
    await side.database.pool.query(
      `UPDATE app.personal_key SET wrapped_key = $1, wrapped_by = $2, erased_at = NULL WHERE subject = $3`,
      [row?.['wrapped_key'], row?.['wrapped_by'], `farewell-${userId}`],
    )
    expect(await clearFarewells(parts)).toBe(1)
    expect(await kept()).toEqual({ row: false, key: false })
  })

  it('leave no key behind if the row was never written', async () => {
    await parts.keys.forWriting('farewell-usr_0123456789abcdef01234567')
    await age(8)
    expect(await clearFarewells(parts)).toBe(1)
    expect(await kept()).toEqual({ row: false, key: false })
  })
})
