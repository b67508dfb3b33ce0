import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { chain } from '#services/event-store/audit/hash-chain'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { StoredEvent } from '#services/event-store/event-store'
import { importLog } from '#services/event-store/transfer/import-log'
import { refuseUnfinished } from '#services/event-store/transfer/unfinished-restore'
import { backupFileName } from '#services/operations/backup/backup-format'
import { restoreBackup } from '#services/operations/backup/restore-backup'
import { openEventLog } from '#services/start/open-event-log'
import { someEvent } from '../../support/data/some-event.ts'
import { eventStoreUrl, ownLogOn } from '../../support/event-store/event-store-url.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { runBilling } from '../../support/product/run-billing.ts'
import { auditKey, macKey } from '../../support/event-store/mac-key.ts'

if (eventStoreUrl === undefined) {
  describe('the operator’s commands on a log in EventStoreDB', () => {
    it.skip('work as on PostgreSQL (not run: EVENTSTORE_URL is not set, see docs/eventstoredb.md)', () =>
      undefined)
  })
} else {
  describeOperators(eventStoreUrl)
}

function describeOperators(url: string): void {
  const secrets = {
    MASTER_KEY: randomBytes(32).toString('hex'),
    EMAIL_HMAC_KEY: randomBytes(32).toString('hex'),
    PORTAL_KEY: '05'.repeat(32),
    AUDIT_KEY: auditKey.toString('hex'),
  }
  const keys = {
    masterKey: Buffer.from(secrets.MASTER_KEY, 'hex'),
    emailHmacKey: Buffer.from(secrets.EMAIL_HMAC_KEY, 'hex'),
    portalKey: Buffer.from(secrets.PORTAL_KEY, 'hex'),
    auditKey,
  }
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>
  const opened: { close(): Promise<void> }[] = []
  beforeEach(async () => {
    directory = await temporaryDirectory()
  })
  afterEach(async () => {
    for (const system of opened.splice(0)) await system.close()
    await directory.remove()
  })

  /** A database, a new one by default, with an event log in the database or on the server. */
  async function system(
    where: 'in the database' | 'on EventStoreDB',
    database?: Pick<TestDatabase, 'connectionString' | 'pool'>,
  ) {
    const { connectionString, pool, drop } = database
      ? { ...database, drop: () => Promise.resolve() }
      : await createTestDatabase()
    const place = where === 'on EventStoreDB' ? ownLogOn(url) : null
    const eventLog = await openEventLog({
      eventStoreUrl: place,
      connectionString,
      pool,
      print: () => undefined,
    })
    const codec = createCodec(createPersonalKeys(pool, Buffer.from(secrets.MASTER_KEY, 'hex')))
    const { store } = eventLog
    let disconnected: Promise<void> | undefined
    const disconnect = () => (disconnected ??= store.close())
    const close = async () => {
      await disconnect()
      await drop()
    }
    opened.push({ close })
    return {
      connectionString,
      pool,
      place,
      disconnect,
      eventLog,
      store,
      codec,
      /**
       * Opens `count` accounts and then requests a code for each account, so that streams alternate
       * in the log.
       */
      async record(count: number) {
        for (let n = 0; n < count * 2; n += 1) {
          const [stream, id] = [`account-usr_${n % count}`, randomUUID()]
          const last = (await store.readStream(stream)).at(-1)
          const [type, data] =
            n < count
              ? ([
                  'AccountOpened',
                  { userId: `usr_${n}`, email: `dana${n}@birchwood.example` },
                ] as const)
              : ([
                  'CodeRequested',
                  { email: `dana${n - count}@birchwood.example`, resend: 0 },
                ] as const)
          const encoded = await codec.encode(stream, { id, type, data })
          await store.append(
            stream,
            last?.revision ?? 'no-stream',
            chain(
              stream,
              last,
              [
                {
                  id,
                  type,
                  data: encoded.data,
                  metadata: { ...someEvent().metadata, schemaVersion: encoded.schemaVersion },
                },
              ],
              macKey,
            ),
          )
        }
      },
      async all(): Promise<readonly StoredEvent[]> {
        const pages: (readonly StoredEvent[])[] = []
        for await (const page of store.readAll(null)) pages.push(page)
        return pages.flat()
      },
      async read(): Promise<readonly unknown[]> {
        return (await codec.decode(await this.all())).map(({ stream, type, data }) => ({
          stream,
          type,
          data,
        }))
      },
      billing: (...args: string[]) =>
        runBilling(
          {
            DATA_DIR: directory.path,
            DATABASE_URL: connectionString,
            EVENTSTORE_URL: place ?? undefined,
            ...secrets,
          },
          ...args,
        ),
    }
  }

  const withoutPosition = (events: readonly StoredEvent[]) =>
    events.map((event) => ({ ...event, position: undefined }))
  const holds = (sentence: string) => ({
    code: 0,
    stdout: expect.stringContaining(sentence) as unknown,
  })

  describe('the operator’s commands on a log in EventStoreDB', () => {
    it('show and verify the log, and sign its heads', async () => {
      const source = await system('on EventStoreDB')
      await source.record(5)
      expect(JSON.parse((await source.billing('events', 'stats', '--json')).stdout)).toMatchObject({
        events: 10,
        streams: 5,
        types: [
          { type: 'AccountOpened', events: 5 },
          { type: 'CodeRequested', events: 5 },
        ],
        categories: [{ category: 'account', streams: 5 }],
      })
      expect(await source.billing('events', 'show', 'account-usr_3')).toMatchObject(
        holds('dana3@birchwood.example'),
      )
      expect(await source.billing('events', 'seal')).toMatchObject(
        holds('Seal 1 covers 10 events in 5 streams'),
      )
      expect(await source.billing('events', 'verify')).toMatchObject(
        holds(
          '10 events in 5 streams: every chain holds and every MAC is genuine. The log has the state of its seal',
        ),
      )
    }, 60_000)

    it.each([
      ['on EventStoreDB', 'in the database'],
      ['on EventStoreDB', 'on EventStoreDB'],
      ['in the database', 'on EventStoreDB'],
    ] as const)(
      'export a log %s, and import it unchanged into a log %s',
      async (from, to) => {
        const [source, target] = [await system(from), await system(to)]
        await source.record(6)
        const file = join(directory.path, 'log.ndjson.gz')
        expect((await source.billing('events', 'export', '--with-keys', '--out', file)).code).toBe(
          0,
        )
        expect(await target.billing('events', 'import', file)).toMatchObject(
          holds('Imported 12 events. Imported 6 personal keys.'),
        )
        expect(withoutPosition(await target.all())).toEqual(withoutPosition(await source.all()))
        expect(await target.read()).toEqual(await source.read())
        expect(await target.billing('events', 'verify')).toMatchObject(
          holds('12 events in 6 streams: every chain holds and every MAC is genuine.'),
        )
      },
      60_000,
    )

    it('finish an interrupted import, and refuse an import into a log with other events', async () => {
      const [source, target, used] = [
        await system('on EventStoreDB'),
        await system('on EventStoreDB'),
        await system('on EventStoreDB'),
      ]
      await source.record(6)
      const file = join(directory.path, 'log.ndjson')
      expect((await source.billing('events', 'export', '--with-keys', '--out', file)).code).toBe(0)
      await target.eventLog.restore((await source.all()).slice(0, 7))
      expect(await target.billing('events', 'import', file)).toMatchObject(
        holds('Imported 12 events.'),
      )
      expect(withoutPosition(await target.all())).toEqual(withoutPosition(await source.all()))

      await used.store.append('other-1', 'no-stream', [someEvent()])
      expect(await used.billing('events', 'import', file)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(
          'The event log already has other events. Restore into an empty log.',
        ) as unknown,
      })
      expect(await used.all()).toHaveLength(1)
      expect((await used.pool.query('SELECT 1 FROM app.personal_key')).rowCount).toBe(0)
    }, 60_000)

    it.each([
      ['on EventStoreDB', 'on EventStoreDB'],
      ['on EventStoreDB', 'in the database'],
      ['in the database', 'on EventStoreDB'],
    ] as const)(
      'back up a system whose log is %s, and restore it into a system whose log is %s',
      async (from, to) => {
        const [source, target] = [await system(from), await system(to)]
        await source.record(6)
        await source.pool.query(
          `INSERT INTO app.customer_session VALUES ('a', '{"position": "5", "userId": "usr_1"}', now() + interval '1 day')`,
        )
        expect((await source.billing('events', 'seal')).code).toBe(0)
        const backup = join(directory.path, 'backup')
        expect((await source.billing('backup', backup)).code).toBe(0)
        expect(await target.billing('restore', backup)).toMatchObject(holds('Restored '))
        expect(withoutPosition(await target.all())).toEqual(withoutPosition(await source.all()))
        expect(await target.read()).toEqual(await source.read())
        expect(await target.billing('events', 'verify')).toMatchObject(
          holds(
            '12 events in 6 streams: every chain holds and every MAC is genuine. The log has the state of its seal',
          ),
        )
        expect((await target.pool.query('SELECT sess FROM app.customer_session')).rows).toEqual([
          { sess: { userId: 'usr_1' } },
        ])
      },
      60_000,
    )

    it('refuse the start of the product on the log of an interrupted restore or import, until its repeat ends', async () => {
      const [source, restored, imported] = [
        await system('on EventStoreDB'),
        await system('on EventStoreDB'),
        await system('on EventStoreDB'),
      ]
      await source.record(6)
      const [backup, file] = [join(directory.path, 'backup'), join(directory.path, 'log.ndjson')]
      expect((await source.billing('backup', backup)).code).toBe(0)
      expect((await source.billing('events', 'export', '--with-keys', '--out', file)).code).toBe(0)
      const kill = () => {
        throw new Error('killed')
      }
      await expect(
        restoreBackup(join(backup, backupFileName), { ...restored, keys, onRows: kill }),
      ).rejects.toThrow('killed')
      await expect(importLog(file, { ...imported, ...keys, onLines: kill })).rejects.toThrow(
        'killed',
      )
      // An import would leave out the backup's sessions.
      expect(await restored.billing('events', 'import', file)).toMatchObject({ code: 1 })
      for (const [target, repeat] of [
        [restored, ['restore', backup]],
        [imported, ['events', 'import', file]],
      ] as const) {
        expect(await target.all()).toHaveLength(12)
        await expect(refuseUnfinished(target.pool)).rejects.toThrow(
          `'billing ${repeat.slice(0, -1).join(' ')}' into EventStoreDB was interrupted, so the log is incomplete`,
        )
        expect((await target.billing(...repeat)).code).toBe(0)
        await refuseUnfinished(target.pool)
      }
    }, 60_000)

    it('leave no mark at a log with other events, which a product may use', async () => {
      const [source, used] = [await system('on EventStoreDB'), await system('on EventStoreDB')]
      await source.record(2)
      const file = join(directory.path, 'log.ndjson')
      expect((await source.billing('events', 'export', '--with-keys', '--out', file)).code).toBe(0)
      await used.store.append('other-1', 'no-stream', [someEvent()])
      expect((await used.billing('events', 'import', file)).code).toBe(1)
      await refuseUnfinished(used.pool)
    }, 60_000)

    it.each(['on EventStoreDB', 'in the database'] as const)(
      'back up a system whose log was moved to EventStoreDB, and restore it into a system whose log is %s',
      async (to) => {
        const [former, target] = [await system('in the database'), await system(to)]
        const moved = await system('on EventStoreDB', former)
        await former.record(6)
        // A connection of the product would refuse the switch.
        await former.disconnect()
        expect(
          await former.billing('events', 'copy', '--to', moved.place ?? '', '--switch'),
        ).toMatchObject(holds('Read models and sessions now use the copy.'))
        await moved.record(6)
        const backup = join(directory.path, 'backup')
        expect((await moved.billing('backup', backup)).code).toBe(0)
        expect(await target.billing('restore', backup)).toMatchObject(holds('Restored '))
        expect(withoutPosition(await target.all())).toEqual(withoutPosition(await moved.all()))
        expect(await target.read()).toEqual(await moved.read())
        expect(await target.billing('events', 'verify')).toMatchObject(
          holds('24 events in 6 streams: every chain holds and every MAC is genuine.'),
        )
      },
      60_000,
    )
  })
}
