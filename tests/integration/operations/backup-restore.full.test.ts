import { spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type pg from 'pg'
import { createAccounts } from '#services/accounts/accounts'
import type { CommandContext } from '#services/commands/command-context'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { StoredEvent } from '#services/event-store/event-store'
import { createPostgresEventLog } from '#services/event-store/postgres/postgres-event-log'
import { withChecksum } from '#services/foundation/checksummed-lines'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import { backupFileName } from '#services/operations/backup/backup-format'
import { restoreBackup } from '#services/operations/backup/restore-backup'
import { takeBackup } from '#services/operations/backup/take-backup'
import { createPool } from '#services/postgres/connect'
import { startEmbeddedPostgres } from '#services/postgres/embedded-postgres'
import { profile } from '../../support/data/events.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'
import { auditKey, macKey } from '../../support/event-store/mac-key.ts'
import { verifyStored } from '../../support/event-store/verify.ts'
import { oneEmailKey } from '../../support/data/one-email-key.ts'

const runBilling = billingInOneProcess()

const keys = {
  masterKey: randomBytes(32),
  emailHmacKey: randomBytes(32),
  portalKey: randomBytes(32),
  auditKey,
}
const environment = {
  MASTER_KEY: keys.masterKey.toString('hex'),
  EMAIL_HMAC_KEY: keys.emailHmacKey.toString('hex'),
  PORTAL_KEY: keys.portalKey.toString('hex'),
  AUDIT_KEY: keys.auditKey.toString('hex'),
}

/** The command side over a database, as the product composes it. */
function openSystem(connectionString: string) {
  const pool = createPool(connectionString, { max: 4 })
  const eventLog = createPostgresEventLog({ connectionString, pool })
  const { store } = eventLog
  const codec = createCodec(createPersonalKeys(pool, keys.masterKey))
  const commands = createCommandHandler({ store, codec, clock: systemClock, macKey })
  const accounts = createAccounts({
    commands,
    clock: systemClock,
    ids: randomIds,
    emailKeys: oneEmailKey(keys.emailHmacKey),
  })
  return {
    pool,
    eventLog,
    store,
    accounts,
    async all(): Promise<readonly StoredEvent[]> {
      const pages: (readonly StoredEvent[])[] = []
      for await (const page of store.readAll(null)) pages.push(page)
      return pages.flat()
    },
    async verify() {
      return (await verifyStored(store, pool)).problems
    },
    async close() {
      await store.close()
      await pool.end()
    },
  }
}

/** The log of a database into which a test restores. It needs no separate connection. */
const logIn = ({ connectionString, pool }: TestDatabase) =>
  createPostgresEventLog({ connectionString, pool })

const context = (): CommandContext => {
  const commandId = randomUUID()
  return {
    commandId,
    correlationId: commandId,
    actor: { kind: 'system', id: 'test' },
    source: 'system',
  }
}

const email = (n: number) => `dana${n}@birchwood.example`

async function enter(
  system: ReturnType<typeof openSystem>,
  from: number,
  to: number,
): Promise<void> {
  for (let n = from; n < to; n += 1) {
    const { account } = await system.accounts.findOrOpen(email(n), context())
    await system.accounts.completeProfile(
      account.userId,
      profile,
      { isOwner: true, basedOn: null },
      context(),
    )
  }
}

let database: TestDatabase
let originalSystem: ReturnType<typeof openSystem>
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let backup: string
beforeAll(async () => {
  database = await createTestDatabase()
  originalSystem = openSystem(database.connectionString)
  await enter(originalSystem, 0, 5)
  // Positions without an event, as failed appends leave them, and data that the product keeps
  // beside the log.
  await database.pool.query(`SELECT nextval('log.event_position_seq') FROM generate_series(1, 7)`)
  await database.pool.query(
    `INSERT INTO app.customer_session VALUES ('sid', '{"subject": "usr_1"}', '2030-01-01T00:00:00.123456Z')`,
  )
  await database.pool.query(
    `INSERT INTO app.admin_session VALUES ('sid', '{"subject": "admin"}', '2030-01-01T00:00:00Z')`,
  )
  await database.pool.query(
    `INSERT INTO app.farewell (user_id, address) VALUES ('usr_9', 'erased@example.com')`,
  )
  await database.pool.query(
    `INSERT INTO app.personal_key (subject, wrapped_key, wrapped_by)
     SELECT 'farewell-usr_9', 'the key of a last mail', wrapped_by FROM app.personal_key LIMIT 1`,
  )
  await database.pool.query(
    `INSERT INTO projection.skipped_event VALUES ('users', 1, 'id', 'Type', 'account-usr_1', 3, '9', 'broken', 'operator')`,
  )
  await database.pool.query(`INSERT INTO app.rate_limit VALUES ('key', 3, 1893456000000)`)
  // A backup leaves out the state of the controls, and these rows, which refer to it.
  await database.pool.query(`INSERT INTO app.control_progress (log_id, version) VALUES ('log', 1)`)
  await database.pool.query(
    `INSERT INTO app.control_parked (log_id, version, user_id, reason) VALUES ('log', 1, 'usr_1', 'x')`,
  )
  await database.pool.query(
    `INSERT INTO app.outbox (reactor, event_id, event_type, stream, revision, done_at, due_at)
     VALUES ('mails', $1, 'EmailVerified', 'account-usr_1', 1, now(), NULL),
       ('mails', $2, 'EmailVerified', 'account-usr_2', 1, NULL, NULL),
       ('texts', $2, 'DunningReminderDue', 'dunning-usr_2', 1, NULL, '2030-01-01T00:00:00Z'),
       ('thanks', $2, 'PaymentRecorded', 'receivable-1', 1, NULL, '2030-01-01T00:00:00Z'),
       ('blocked-billing', $2, 'AccountBlocked', 'account-usr_3', 1, NULL, NULL)`,
    [randomUUID(), randomUUID()],
  )
})
afterAll(async () => {
  await originalSystem.close()
  await database.drop()
})
beforeEach(async () => {
  directory = await temporaryDirectory()
  backup = join(directory.path, 'backup')
})
afterEach(() => directory.remove())

const settings = (connectionString?: string) => ({
  DATA_DIR: join(directory.path, 'data'),
  ...environment,
  ...(connectionString && { DATABASE_URL: connectionString }),
})

async function rowsOf(pool: pg.Pool, table: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ row: string }>(
    `SELECT row_to_json(t)::text AS row FROM ${table} t ORDER BY 1`,
  )
  return rows.map(({ row }) => row)
}

/** The backup of a log in the database, with the header of a log in EventStoreDB. */
async function withTwoLogs(backupText: string): Promise<string> {
  const lines = backupText.replace('"version":1', '"version":2').split('\n').slice(0, -2)
  let text = ''
  for await (const piece of withChecksum(Readable.from([lines]))) text += piece
  return text
}

describe('a backup', () => {
  it('restored into a new cluster gives the same system, which accepts new events', async () => {
    expect((await runBilling(settings(database.connectionString), 'events', 'seal')).code).toBe(0)
    const taken = await runBilling(settings(database.connectionString), 'backup', backup)
    expect(taken).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/Backing up: \d+ rows in/) as unknown,
    })
    expect(taken.stdout).toMatch(
      /does not contain MASTER_KEY, EMAIL_HMAC_KEY, PORTAL_KEY, AUDIT_KEY, and cannot be restored without them/,
    )
    expect((await stat(join(backup, backupFileName))).mode & 0o077).toBe(0)
    const written = gunzipSync(await readFile(join(backup, backupFileName))).toString()
    for (const text of ['erased@example.com', 'the key of a last mail'])
      expect(written).not.toContain(Buffer.from(text).toString('hex'))
    expect(written).not.toMatch(/usr_9\b/)
    expect(written).not.toMatch(/app\.(customer_session|admin_session|sign_in_code|farewell)/)

    // Without DATABASE_URL, the restore creates a cluster in the new DATA_DIR.
    const restored = await runBilling(settings(), 'restore', backup)
    expect(restored).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Restored [\d,]+ rows of the backup that was taken at 20.*\n1 thanks of merchants for payments waited .*\n2 mails and texts waited when the backup was taken and may have been sent since\./,
      ) as unknown,
    })

    const server = await startEmbeddedPostgres({
      dataDir: join(directory.path, 'data', 'postgres'),
      fsync: false,
    })
    const restoredSystem = openSystem(server.connectionString('billing'))
    try {
      const events = await originalSystem.all()
      expect(await restoredSystem.all()).toEqual(events)
      for (const table of [
        'app.personal_key',
        'app.seal',
        'app.sealed_head',
        'app.rate_limit',
        'projection.skipped_event',
      ]) {
        expect([table, await rowsOf(restoredSystem.pool, table)]).toEqual([
          table,
          (await rowsOf(originalSystem.pool, table)).filter((row) => !row.includes('farewell-')),
        ])
      }
      // A session or a code that ended after the backup must not be revived, and the address of an
      // erased person is not kept.
      for (const table of ['customer_session', 'admin_session', 'sign_in_code', 'farewell'])
        expect([table, await rowsOf(restoredSystem.pool, `app.${table}`)]).toEqual([table, []])
      const waiting = `SELECT reactor, dead_at IS NOT NULL AS "isDead" FROM app.outbox WHERE done_at IS NULL ORDER BY 1`
      expect((await restoredSystem.pool.query(waiting)).rows).toEqual([
        { reactor: 'blocked-billing', isDead: false },
        { reactor: 'mails', isDead: true },
        { reactor: 'texts', isDead: true },
        { reactor: 'thanks', isDead: true },
      ])
      const owner = await restoredSystem.accounts.ownerOf(email(3))
      expect(owner && (await restoredSystem.accounts.find(owner))).toMatchObject({
        email: email(3),
        profile,
      })

      // Seven positions before these have no event. The product uses none of them again.
      const last = Number(events.at(-1)?.position)
      await enter(restoredSystem, 3, 7)
      const added = (await restoredSystem.all()).slice(events.length)
      expect(added.map(({ type }) => type)).toContain('EmailClaimed')
      expect(Number(added[0]?.position)).toBe(last + 8)
      expect(await restoredSystem.verify()).toEqual([])
    } finally {
      await restoredSystem.close()
      await server.stop()
    }
    expect(await runBilling(settings(), 'restore', backup)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has events already') as unknown,
    })
    expect(await runBilling(settings(database.connectionString), 'backup', backup)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('never overwrites a backup') as unknown,
    })
  }, 120_000)

  it('is consistent while customers write', async () => {
    const target = await createTestDatabase()
    const text: string[] = []
    let added = 0
    for await (const piece of takeBackup({
      pool: originalSystem.pool,
      eventLog: originalSystem.eventLog,
      takenAt: '2026-03-03T09:12:00.000Z',
      keys,
    })) {
      text.push(piece)
      // New customers come after the header, the first read and every table. The snapshot is older
      // than all of them.
      await enter(originalSystem, 100 + added, 101 + added)
      added += 1
    }
    expect(added).toBeGreaterThan(3)
    const file = join(directory.path, 'moment.ndjson.gz')
    await writeFile(file, gzipSync(text.join('')))
    await restoreBackup(file, { pool: target.pool, eventLog: logIn(target), keys })
    const restoredSystem = openSystem(target.connectionString)
    const subjects = new Set(
      (
        await target.pool.query<{ subject: string }>('SELECT subject FROM app.personal_key')
      ).rows.map(({ subject }) => subject),
    )
    const accounts = (await restoredSystem.all())
      .filter(({ type }) => type === 'AccountOpened')
      .map(({ stream }) => stream.replace('account-', ''))
    expect(new Set(accounts)).toEqual(subjects)
    expect(await restoredSystem.verify()).toEqual([])
    await restoredSystem.close()
    await target.drop()
  })

  it('is refused with other keys, if it is damaged, from an older release or for a database in use, and then nothing is restored', async () => {
    expect((await runBilling(settings(database.connectionString), 'backup', backup)).code).toBe(0)
    const target = await createTestDatabase()
    const file = join(backup, backupFileName)
    const restore = (from = file, over: Partial<typeof keys> = {}) =>
      restoreBackup(from, {
        pool: target.pool,
        eventLog: logIn(target),
        keys: { ...keys, ...over },
      })

    await expect(
      restore(file, { masterKey: randomBytes(32), auditKey: randomBytes(32) }),
    ).rejects.toThrow('another MASTER_KEY, AUDIT_KEY,')
    const text = gunzipSync(await readFile(file)).toString()
    const damaged = join(directory.path, 'damaged.ndjson.gz')
    const broken: readonly [string, RegExp][] = [
      [text.replace('"revision":0', '"revision":3'), /does not match the checksum/],
      [text.slice(0, -200), /is incomplete/],
      ['{}\n{}\n', /is not a backup/],
      [await withTwoLogs(text), /has two logs/],
    ]
    for (const [content, message] of broken) {
      await writeFile(damaged, gzipSync(content))
      await expect(restore(damaged)).rejects.toThrow(message)
    }
    await copyFile(file, damaged)
    await writeFile(damaged, (await readFile(file)).subarray(0, 500))
    await expect(restore(damaged)).rejects.toThrow(/damaged|incomplete/)

    await target.pool.query(
      `INSERT INTO app.migration (name, run_on) VALUES ('9999_tomorrow', now())`,
    )
    await expect(restore()).rejects.toThrow('by an older release')
    await target.pool.query(`DELETE FROM app.migration WHERE name = '9999_tomorrow'`)
    await target.pool.query(`INSERT INTO app.rate_limit VALUES ('key', 3, 0)`)
    await expect(restore()).rejects.toThrow('app.rate_limit has rows')
    await target.pool.query('DELETE FROM app.rate_limit')
    expect((await target.pool.query('SELECT 1 FROM log.event')).rowCount).toBe(0)

    await restore()
    expect((await target.pool.query('SELECT 1 FROM log.event')).rowCount).toBe(
      (await originalSystem.all()).length,
    )
    await target.drop()
  }, 60_000)

  it('of a sandbox is refused without creating a DATA_DIR that lacks the secrets file, and is restored after the printed command copies that file', async () => {
    const [source, target] = [await createTestDatabase(), await createTestDatabase()]
    const [before, after] = [join(directory.path, 'before'), join(directory.path, 'after')]
    const restore = () =>
      runBilling({ DATA_DIR: after, DATABASE_URL: target.connectionString }, 'restore', backup)
    try {
      expect(
        (
          await runBilling(
            { DATA_DIR: before, DATABASE_URL: source.connectionString },
            'backup',
            backup,
          )
        ).code,
      ).toBe(0)
      const refused = await restore()
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      const command = `mkdir -p ${after} && cp <its DATA_DIR>/sandbox-secrets.json ${after}/`
      expect(refused.stderr).toBe(
        'A restore needs the keys that the backup was taken with. Set MASTER_KEY, EMAIL_HMAC_KEY, PORTAL_KEY, AUDIT_KEY to the values of the system that the data comes from, and run the command again. ' +
          `If a sandbox generated MASTER_KEY, EMAIL_HMAC_KEY, PORTAL_KEY, AUDIT_KEY there, copy its file instead:\n  ${command}\n`,
      )
      expect(existsSync(after)).toBe(false)

      expect(spawnSync('sh', ['-c', command.replace('<its DATA_DIR>', before)]).status).toBe(0)
      expect(await restore()).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^Restored /) as unknown,
      })
    } finally {
      await source.drop()
      await target.drop()
    }
  }, 60_000)

  it('of a sandbox is refused with the keys of another sandbox, in a message that names the file to replace', async () => {
    const [before, after] = [join(directory.path, 'before'), join(directory.path, 'after')]
    for (const [dataDir, command] of [
      [before, ['backup', backup]],
      [after, ['events', 'stats']],
    ] as const) {
      expect(
        (
          await runBilling(
            { DATA_DIR: dataDir, DATABASE_URL: database.connectionString },
            ...command,
          )
        ).code,
      ).toBe(0)
    }
    const refused = await runBilling(
      {
        DATA_DIR: after,
        DATABASE_URL: database.connectionString,
        AUDIT_KEY: environment.AUDIT_KEY,
      },
      'restore',
      backup,
    )
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(
      /The backup was taken with another MASTER_KEY, EMAIL_HMAC_KEY, PORTAL_KEY, AUDIT_KEY, and needs the MASTER_KEY of fingerprint [0-9a-f]{16} \(set: [0-9a-f]{16}\), the EMAIL_HMAC_KEY of /,
    )
    expect(refused.stderr).toContain(
      'Set MASTER_KEY, EMAIL_HMAC_KEY, PORTAL_KEY, AUDIT_KEY to the values of the system that the data comes from, and run the command again. ' +
        `If a sandbox generated MASTER_KEY, EMAIL_HMAC_KEY, PORTAL_KEY there, copy its file instead:\n  mkdir -p ${after} && cp <its DATA_DIR>/sandbox-secrets.json ${after}/\n`,
    )
  }, 60_000)

  it('prints the path of the generated secrets that a restore needs', async () => {
    await mkdir(join(directory.path, 'data'))
    const { MASTER_KEY: _, ...rest } = settings(database.connectionString)
    const taken = await runBilling(rest as ReturnType<typeof settings>, 'backup', backup)
    expect(taken.stdout).toContain(
      `MASTER_KEY and keeps it in ${join(directory.path, 'data', 'sandbox-secrets.json')}`,
    )
  })
})
