import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { countByMasterKey } from '#services/event-store/encryption/key-table'
import { masterKeysOf } from '#services/event-store/encryption/master-keys'
import { createPersonalKeys, erasedSubject } from '#services/event-store/encryption/personal-keys'
import { plainKey } from '../../support/event-store/plain-key.ts'
import { StartupError } from '#services/foundation/startup-error'
import { keyFingerprint } from '#services/foundation/key-fingerprint'
import { rotateMasterKey } from '#services/operations/keys/rotate-master-key'
import { assertKnownKeys, keysInUse } from '#services/keys/assert-known-keys'
import { watchKeys } from '#services/keys/watch-keys'
import { crashingPool, Killed } from '../../support/postgres/crashing-pool.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { until } from '../../support/machine/until.ts'

const former: Buffer = randomBytes(32)
const latter: Buffer = randomBytes(32)
const others = {
  emailHmacKey: randomBytes(32),
  portalKey: randomBytes(32),
  auditKey: randomBytes(32),
}

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.pool.query('TRUNCATE app.personal_key, app.key_fingerprint')
  await assertKnownKeys(database.pool, { masterKey: former, ...others })
})

/** The keys as a process with these settings sees them, without a cache from before. */
const keysOf = (masterKey: Buffer, previousMasterKey: Buffer | null = null) =>
  createPersonalKeys(database.pool, masterKey, { previousMasterKey })

const rotate = (
  options: Partial<Parameters<typeof rotateMasterKey>[0]> = {},
  masterKey = latter,
  previous: Buffer | null = former,
) =>
  rotateMasterKey({
    pool: database.pool,
    masterKeys: masterKeysOf(masterKey, previous),
    batch: 3,
    ...options,
  })

/** Makes keys for people, and returns them in plain hexadecimal digits. */
async function givenKeys(count: number, keys = keysOf(former)) {
  const subjects = Array.from({ length: count }, (_, index) => `usr_${index}`)
  for (const subject of subjects) await keys.forWriting(subject)
  return plainOf(keys, subjects)
}

async function plainOf(keys: ReturnType<typeof keysOf>, subjects: Iterable<string>) {
  const found = await keys.forReading(new Set(subjects))
  return new Map(
    [...found].flatMap(([subject, key]) =>
      key === erasedSubject ? [] : [[subject, plainKey(key)]],
    ),
  )
}

const rows = async () =>
  (await database.pool.query('SELECT * FROM app.personal_key ORDER BY subject')).rows as unknown

const underLatterOnly = (count: number) => new Map([[keyFingerprint(latter), count]])

describe('a rotation of MASTER_KEY', () => {
  it('wraps every key with the new one, so that the former one is not needed', async () => {
    const plain = await givenKeys(8)
    await keysOf(former).erase('usr_3')
    plain.delete('usr_3')
    expect(await rotate()).toEqual({ kind: 'rotated', keys: 7, total: 7 })
    expect(await countByMasterKey(database.pool)).toEqual(underLatterOnly(7))
    expect(await plainOf(keysOf(latter), plain.keys())).toEqual(plain)
    expect(await keysOf(latter).forWriting('usr_3')).toBeNull()
    await assertKnownKeys(database.pool, { masterKey: latter, ...others })
    await expect(assertKnownKeys(database.pool, { masterKey: former, ...others })).rejects.toThrow(
      /^MASTER_KEY differs/,
    )
    expect(await rotate()).toEqual({ kind: 'current', keys: 0, total: 7 })
  })

  it('that is killed at any statement leaves every key readable, and the next run completes it', async () => {
    const plain = await givenKeys(4)
    let [from, to] = [former, latter]
    let kills = 0
    for (; await isKilled(from, to, kills + 1); kills += 1) {
      expect(await plainOf(keysOf(to, from), plain.keys())).toEqual(plain)
      await assertKnownKeys(database.pool, { masterKey: to, previousMasterKey: from, ...others })
      await rotate({}, to, from)
      expect(await plainOf(keysOf(to), plain.keys())).toEqual(plain)
      expect(await countByMasterKey(database.pool)).toEqual(new Map([[keyFingerprint(to), 4]]))
      // The next run rotates back.
      ;[from, to] = [to, from]
    }
    // Of the switch 8 statements, of two batches 5 each, of the last look 5.
    expect(kills).toBe(23)
  })

  /** False if the run ends before the statement. */
  async function isKilled(from: Buffer, to: Buffer, statement: number): Promise<boolean> {
    const pool = crashingPool(database.pool, statement)
    const outcome = await rotate({ pool }, to, from).catch((error: unknown) => error)
    if (outcome instanceof Killed) return true
    expect(outcome).toMatchObject({ kind: 'rotated', keys: 4 })
    return false
  }

  it('wraps all other keys if rows were damaged, and names them until they are restored or erased', async () => {
    const plain = await givenKeys(8)
    const damaged = ['usr_0', 'usr_1', 'usr_2', 'usr_6']
    await database.pool.query(
      'UPDATE app.personal_key SET wrapped_key = set_byte(wrapped_key, 20, get_byte(wrapped_key, 20) # 1) WHERE subject = ANY ($1)',
      [damaged],
    )
    for (const subject of damaged) plain.delete(subject)
    const inOneSentence = /4 personal keys cannot be unwrapped, .*: usr_0, usr_1, usr_2, usr_6\./
    await expect(rotate()).rejects.toThrow(inOneSentence)
    await expect(rotate()).rejects.toThrow(inOneSentence)
    expect(await plainOf(keysOf(latter), plain.keys())).toEqual(plain)
    for (const subject of damaged) await keysOf(latter, former).erase(subject)
    expect(await rotate()).toEqual({ kind: 'current', keys: 0, total: 4 })
  })

  it('runs beside erasures, new people and another rotation', async () => {
    const plain = await givenKeys(40)
    const erased = ['usr_1', 'usr_7', 'usr_20', 'usr_33', 'usr_39']
    const fresh = Array.from({ length: 20 }, (_, index) => `usr_new${index}`)
    const here = keysOf(latter, former)
    await Promise.all([
      rotate(),
      rotate(),
      ...erased.map((subject) => keysOf(latter, former).erase(subject)),
      ...fresh.map((subject) => here.forWriting(subject)),
    ])
    for (const subject of erased) plain.delete(subject)
    expect(await countByMasterKey(database.pool)).toEqual(underLatterOnly(35 + 20))
    expect(await plainOf(keysOf(latter), [...plain.keys(), ...erased])).toEqual(plain)
    expect(await plainOf(keysOf(latter), fresh)).toEqual(await plainOf(here, fresh))
  })

  it('waits for a key that is being made under the former key, and wraps it, too', async () => {
    const client = await database.pool.connect()
    await client.query('BEGIN')
    await createPersonalKeys(client, former).forWriting('usr_slow')
    const rotating = rotate()
    await until(
      async () =>
        ((await database.pool.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rowCount ?? 0) > 0,
      'the rotation does not wait',
    )
    expect((await keysInUse(database.pool)).get('MASTER_KEY')).toBe(keyFingerprint(former))
    await client.query('COMMIT')
    client.release()
    expect(await rotating).toEqual({ kind: 'rotated', keys: 1, total: 1 })
    expect(await countByMasterKey(database.pool)).toEqual(underLatterOnly(1))
  })

  it('lets the processes start one after the other: before it, all wrap with the former key', async () => {
    await keysOf(latter, former).forWriting('usr_1')
    expect(await plainOf(keysOf(former), ['usr_1'])).toEqual(
      await plainOf(keysOf(latter, former), ['usr_1']),
    )
    await rotate()
    // A process that was not restarted makes no key that the others could not read.
    await expect(keysOf(former).forWriting('usr_2')).rejects.toThrow(
      /^No personal key was made, because MASTER_KEY was changed/,
    )
    expect(await countByMasterKey(database.pool)).toEqual(underLatterOnly(1))
  })
})

describe('while processes of the product run, a rotation of MASTER_KEY', () => {
  it('is refused until every process has both keys, and changes nothing', async () => {
    await givenKeys(2)
    const before = [await rows(), await keysInUse(database.pool)]
    const unprepared = await startProcess(former)
    const prepared = await startProcess(latter, former)
    try {
      await expect(rotate()).rejects.toThrow(
        `1 of 2 running processes does not have the new MASTER_KEY of fingerprint ${keyFingerprint(latter)}. Restart every process with both keys, in MASTER_KEY and MASTER_KEY_PREVIOUS, then run the command again. Nothing was changed.`,
      )
      expect([await rows(), await keysInUse(database.pool)]).toEqual(before)
      await unprepared.close()
      expect(await rotate()).toMatchObject({ kind: 'rotated', keys: 2 })
    } finally {
      await unprepared.close()
      await prepared.close()
    }
  })

  it('is refused for a process that locks its keys before the rotation looks', async () => {
    await givenKeys(2)
    // The process has its locks, and its look at the key in use waits for the rotation.
    const holder = await database.pool.connect()
    await holder.query(
      "BEGIN; SELECT FROM app.key_fingerprint WHERE name = 'MASTER_KEY' FOR UPDATE",
    )
    const process = await startKeyWatch(former)
    const starting = assertKnownKeys(database.pool, { masterKey: former, ...others })
    const rotating = rotate().catch((error: unknown) => error)
    await until(
      async () =>
        ((await database.pool.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rowCount ?? 0) > 1,
      'the start and the rotation do not wait',
    )
    await holder.query('COMMIT')
    holder.release()
    await starting
    expect(await rotating).toBeInstanceOf(StartupError)
    await process.close()
  })

  function startKeyWatch(masterKey: Buffer, previousMasterKey: Buffer | null = null) {
    return watchKeys({
      connectionString: database.connectionString,
      keys: { masterKey, previousMasterKey, ...others, previousEmailHmacKey: null },
      log: pino({ level: 'silent' }),
    })
  }

  /** What a start does with the keys. */
  async function startProcess(masterKey: Buffer, previousMasterKey: Buffer | null = null) {
    const watch = await startKeyWatch(masterKey, previousMasterKey)
    await assertKnownKeys(database.pool, { masterKey, previousMasterKey, ...others })
    return watch
  }
})

describe('a wrong or lost MASTER_KEY', () => {
  it.each([
    ['before a rotation', 0],
    ['half way through a rotation', 17],
  ])(
    '%s stops the rotation and the start with one sentence, and changes nothing',
    async (_, at) => {
      await givenKeys(8)
      if (at > 0)
        await expect(rotate({ pool: crashingPool(database.pool, at) })).rejects.toThrow(Killed)
      const before = [await rows(), await keysInUse(database.pool)]
      for (const [masterKey, previous] of [
        [latter, randomBytes(32)],
        [latter, null],
        [randomBytes(32), latter],
        [randomBytes(32), null],
      ] as const) {
        const refused = rotate({}, masterKey, previous)
        await expect(refused).rejects.toThrow(StartupError)
        await expect(refused).rejects.toThrow(
          /keys are wrapped by a MASTER_KEY of fingerprint [0-9a-f]{16}, and MASTER_KEY has fingerprint [0-9a-f]{16} and MASTER_KEY_PREVIOUS (is not set|has fingerprint [0-9a-f]{16})\. Set MASTER_KEY_PREVIOUS to the key of fingerprint [0-9a-f]{16}\. Nothing was changed\.$/,
        )
        await expect(
          assertKnownKeys(database.pool, { masterKey, previousMasterKey: previous, ...others }),
        ).rejects.toThrow(StartupError)
      }
      expect([await rows(), await keysInUse(database.pool)]).toEqual(before)
    },
  )

  it('at a start after a rotation that was killed is refused with the number of keys that are left', async () => {
    await givenKeys(8)
    await expect(rotate({ pool: crashingPool(database.pool, 17) })).rejects.toThrow(Killed)
    const counts = await countByMasterKey(database.pool)
    const left = counts.get(keyFingerprint(former)) ?? 0
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(8)
    await expect(assertKnownKeys(database.pool, { masterKey: latter, ...others })).rejects.toThrow(
      `${left} personal keys are still wrapped by another MASTER_KEY, of fingerprint ${keyFingerprint(former)}; the keys that are set have fingerprint ${keyFingerprint(latter)}. Set MASTER_KEY_PREVIOUS to that key and run 'billing keys rotate'.`,
    )
  })

  it('of two rotations in opposite directions, one stops', async () => {
    await givenKeys(8)
    const there = rotate({ batch: 1 })
    const back = rotate({ batch: 1 }, former, latter)
    const ended = await Promise.allSettled([there, back])
    const inUse = (await keysInUse(database.pool)).get('MASTER_KEY') ?? ''
    expect(ended.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
    expect((await countByMasterKey(database.pool)).get(inUse)).toBe(8)
  })

  it('of two rotations in opposite directions, the later one waits for a batch of the earlier one', async () => {
    await givenKeys(8)
    await database.pool.query(
      `CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS
         'BEGIN PERFORM pg_advisory_xact_lock_shared(7); RETURN NEW; END';
       CREATE TRIGGER wait BEFORE UPDATE ON app.personal_key FOR EACH STATEMENT EXECUTE FUNCTION wait_for_test()`,
    )
    const waiting = async (count: number) => {
      const { rows: found } = await database.pool.query<{ count: number }>(
        `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      return found[0]?.count === count
    }
    const holder = await database.pool.connect()
    await holder.query('SELECT pg_advisory_lock(7)')
    const ended: string[] = []
    const earlier = rotate({ batch: 3 }).catch((error: unknown) => error)
    await until(() => waiting(1), 'the earlier rotation does not wrap')
    const later = rotate({}, former, latter).finally(() => ended.push('later'))
    await until(
      async () => ended.length > 0 || (await waiting(2)),
      'the later rotation neither waits nor ends',
    )
    await holder.query('SELECT pg_advisory_unlock(7)')
    holder.release()
    expect(await earlier).toBeInstanceOf(StartupError)
    expect(await later).toMatchObject({ total: 8 })
    expect(await countByMasterKey(database.pool)).toEqual(new Map([[keyFingerprint(former), 8]]))
    await database.pool.query('DROP FUNCTION wait_for_test() CASCADE')
  })
})
