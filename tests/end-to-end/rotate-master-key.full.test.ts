import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import pg from 'pg'
import { z } from 'zod'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { plainKey } from '../support/event-store/plain-key.ts'
import { keyFingerprint } from '#services/foundation/key-fingerprint'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { createProductDatabase } from '../support/postgres/database.ts'
import { startBilling, runBilling } from '../support/product/run-billing.ts'
import { RefusedStart, startProduct } from '../support/product/run-product.ts'
import { startCustomers } from '../support/product/steady-customers.ts'
import { until } from '../support/machine/until.ts'

const secrets = z.object({ MASTER_KEY: z.string() })

it('MASTER_KEY is rotated by a killed and a second command while customers sign up, buy and are erased', async () => {
  const database = await createProductDatabase()
  const directory = await temporaryDirectory()
  const pool = new pg.Pool({ connectionString: database.connectionString })
  const place = { DATA_DIR: directory.path, DATABASE_URL: database.connectionString }
  const start = (env: Readonly<Record<string, string>>) =>
    startProduct({
      dataDir: directory.path,
      env: { DATABASE_URL: database.connectionString, TRUST_PROXY: '1', ...env },
    })
  // The first start generates the former key.
  await (await start({})).stop()
  const { MASTER_KEY: former } = secrets.parse(
    JSON.parse(readFileSync(join(directory.path, 'sandbox-secrets.json'), 'utf8')),
  )
  // Enough keys that the command can be killed at work.
  const latter: Buffer = randomBytes(32)
  const many = createPersonalKeys(pool, Buffer.from(former, 'hex'))
  const people = Array.from({ length: 4_000 }, (_, index) => `usr_many${index}`)
  await Promise.all(people.map((person) => many.forWriting(person)))
  const plainOf = async (keys: typeof many) =>
    [...(await keys.forReading(new Set(people)))].map(
      ([person, key]) => `${person} ${plainKey(key)}`,
    )
  const plain = await plainOf(many)
  const left = async () =>
    (
      await pool.query<{ count: number }>(
        'SELECT count(*)::int FROM app.personal_key WHERE wrapped_by <> $1',
        [keyFingerprint(latter)],
      )
    ).rows[0]?.count ?? 0

  const during = { MASTER_KEY: latter.toString('hex'), MASTER_KEY_PREVIOUS: former }
  const product = await start(during)
  const running = { ...place, ...during, SANDBOX_PORT: new URL(product.sandboxUrl).port }
  const customers = await startCustomers(product, 3)
  await until(() => customers.clicks.length > 10, 'no customer clicks')

  const killed = startBilling(running, 'keys', 'rotate')
  const total = await left()
  await until(async () => (await left()) < total, 'the rotation does not begin', 60)
  killed.kill('SIGKILL')

  const [visitor] = customers.clicks.filter(({ kind }) => kind === 'entered')
  const erased = await runBilling(running, 'erase', visitor?.userId ?? '')
  const rotated = await runBilling(running, 'keys', 'rotate')
  const clicks = customers.clicks.length
  await until(() => customers.clicks.length > clicks + 10, 'no customer clicks any more')
  await customers.stop()
  expect(erased.stdout).toContain(`${visitor?.userId} is erased.`)
  expect(rotated).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^MASTER_KEY is in use/) as unknown,
  })
  expect(customers.wrong).toEqual([])
  expect(await left()).toBe(0)
  await product.stop()

  // The former key alone is refused; the new one alone reads everything.
  const refused = await start({ MASTER_KEY: former }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(RefusedStart)
  const after = { MASTER_KEY: during.MASTER_KEY }
  const next = await start(after)
  for (const command of [
    ['events', 'verify'],
    ['projections', 'verify'],
  ])
    expect(await runBilling({ ...place, ...after }, ...command)).toMatchObject({ code: 0 })
  const readable = createPersonalKeys(pool, latter)
  expect(await plainOf(readable)).toEqual(plain)
  for (const click of customers.clicks)
    if (click.userId !== visitor?.userId)
      expect((await readable.forReading(new Set([click.userId]))).size).toBe(1)
  expect(await readable.forWriting(visitor?.userId ?? '')).toBeNull()
  await next.stop()
  await pool.end()
  await database.drop()
  await directory.remove()
}, 300_000)
