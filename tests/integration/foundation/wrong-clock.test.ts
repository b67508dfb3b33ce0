import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { startBusinessClock, type BusinessClock } from '#services/foundation/business-clock'
import type { FollowedClock } from '#services/foundation/followed-clock'
import { StartupError } from '#services/foundation/startup-error'
import { readStoredClock } from '#services/foundation/stored-clock'
import { settableTime, type SettableTime } from '../../support/machine/settable-time.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { until } from '../../support/machine/until.ts'

const begin = '2026-03-03T09:00:00.000Z'
const hour = 3_600_000
const year = 365 * 24 * hour
const repair = "stop the product and run 'npm run billing -- clock reset'"

let db: TestDatabase
let time: SettableTime
const running: BusinessClock[] = []
const lines: { level: 'warn' | 'error'; facts: object; sentence: string }[] = []
const log = {
  warn: (facts: object, sentence: string) => void lines.push({ level: 'warn', facts, sentence }),
  error: (facts: object, sentence: string) => void lines.push({ level: 'error', facts, sentence }),
}
const isRightAgain = {
  level: 'warn',
  facts: {},
  sentence: 'The business clock is right again, and its value is stored again.',
}

beforeEach(async () => {
  db = await createTestDatabase()
  time = settableTime(begin)
  lines.length = 0
})
afterEach(async () => {
  for (const clock of running.splice(0)) await clock.close()
  await db.drop()
})

/** Counts the rounds in which the clock was read and stored. Its pauses end immediately. */
interface Rounds {
  count: number
}
const noRounds = (): Rounds => ({ count: 0 })

async function start(
  followed: FollowedClock = { kind: 'system' },
  rounds: Rounds = noRounds(),
): Promise<BusinessClock> {
  const clock = await startBusinessClock({
    pool: db.pool,
    followed,
    log,
    time,
    sleep: async () => {
      rounds.count += 1
      await new Promise((resolve) => setImmediate(resolve))
    },
  })
  running.push(clock)
  return clock
}
async function twoRounds(rounds: Rounds): Promise<void> {
  const enough = rounds.count + 2
  await until(() => rounds.count >= enough, 'the clock was not read twice')
}
async function stop(clock: BusinessClock): Promise<void> {
  running.splice(running.indexOf(clock), 1)
  await clock.close()
}
const store = (at: number) =>
  db.pool.query('INSERT INTO app.business_clock VALUES (true, $1)', [new Date(at)])
const stored = async () => {
  const at = await readStoredClock(db.pool)
  return at === null ? null : new Date(at).toISOString()
}
const after = (ms: number) => new Date(Date.parse(begin) + ms).toISOString()

describe('the start of the business clock', () => {
  it('is refused if the stored value is more than 1 hour ahead of the system’s time', async () => {
    await store(Date.parse(begin) + 2 * year)
    const refusal = new StartupError(
      `The stored value of the business clock, ${after(2 * year)}, is more than 1 hour ahead of the system's time, ${begin}: correct the system's time if it is wrong, otherwise ${repair}.`,
    )
    await expect(start()).rejects.toThrow(refusal)
    await expect(start()).rejects.toThrow(StartupError)
    expect(await stored()).toBe(after(2 * year))
  })

  it('stands still at a stored value that is up to 1 hour ahead', async () => {
    await store(Date.parse(begin) + hour)
    const clock = await start()
    expect([clock.now().toISOString(), clock.problem()]).toEqual([after(hour), null])
    time.pass(hour - 1)
    expect(clock.now().toISOString()).toBe(after(hour))
    time.pass(2)
    expect(clock.now().toISOString()).toBe(after(hour + 1))
  })

  it('is not refused for a process that cannot read the clock of the product’s sandbox', async () => {
    await store(Date.parse(begin) + year)
    const clock = await start({ kind: 'own-sandbox', url: 'http://127.0.0.1:1/clock' })
    expect([clock.now().toISOString(), clock.problem()]).toEqual([after(year), null])
  })
})

describe('the business clock while the system’s time is wrong', () => {
  it.each([
    ['ahead', 2 * year],
    ['behind', -2 * year],
  ])(
    'ignores a jump %s, logs one error, is not stored, and continues by itself when the time is right again',
    async (_where, jump) => {
      const rounds = noRounds()
      const clock = await start(undefined, rounds)
      await until(async () => (await stored()) === begin, 'the first time was not stored')

      time.jump(jump)
      time.pass(1_000)
      const problem = `The system's time jumped to ${after(jump + 1_000)}, and ${after(1_000)} was expected: correct the system's time, or restart the product if the system's time is right.`
      expect([clock.now().toISOString(), clock.problem()]).toEqual([after(1_000), problem])
      await twoRounds(rounds)
      expect([clock.now().toISOString(), clock.problem()]).toEqual([after(1_000), problem])
      expect(lines).toEqual([
        {
          level: 'error',
          facts: { expected: after(1_000), systemTime: after(jump + 1_000) },
          sentence:
            "The system's time jumped by more than 1 hour; /readyz answers 503, and the business clock ignores and does not store the jump.",
        },
      ])
      expect(await stored()).toBe(begin)

      time.jump(-jump)
      time.pass(1_000)
      expect([clock.now().toISOString(), clock.problem()]).toEqual([after(2_000), null])
      expect(lines.slice(1)).toEqual([isRightAgain])
      await stop(clock)
      expect(await stored()).toBe(after(2_000))
    },
  )

  it('is not stored at the stop either', async () => {
    const clock = await start()
    await until(async () => (await stored()) === begin, 'the first time was not stored')
    time.jump(2 * year)
    time.pass(5_000)
    await stop(clock)
    expect(await stored()).toBe(begin)
    expect(lines.map(({ level }) => level)).toEqual(['error'])
  })

  it('continues in another process of the same database, which stores its time', async () => {
    const clock = await start()
    const rightTime = time
    time = settableTime(begin)
    const other = await start()
    time.pass(5_000)
    rightTime.pass(5_000)
    rightTime.jump(2 * year)
    expect([clock.now(), other.now()]).toEqual([new Date(after(5_000)), new Date(after(5_000))])
    expect([clock.problem() === null, other.problem() === null]).toEqual([false, true])
    await stop(clock)
    await stop(other)
    expect(await stored()).toBe(after(5_000))
    await start()
  })

  it('is refused at the next start if the system’s time was wrong from the start on', async () => {
    time.jump(2 * year)
    const clock = await start()
    await until(async () => (await stored()) === after(2 * year), 'the time was not stored')
    time.jump(-2 * year)
    expect(clock.problem()).toMatch(/^The system's time jumped to .* or restart the product/)
    await stop(clock)
    await expect(start()).rejects.toThrow(StartupError)
    await expect(start()).rejects.toThrow(repair)
  })
})

describe('the business clock that follows CLOCK_URL', () => {
  let server: Server
  let advancedMs: number
  /** Runs after the time of an answer is read, and before the answer. */
  let onRead: (() => Promise<unknown>) | undefined
  let url: string
  beforeEach(async () => {
    advancedMs = 0
    // On the same machine: its time jumps with the system's time.
    onRead = undefined
    server = createServer((_request, response) => {
      const now = new Date(time.wall() + advancedMs).toISOString()
      void Promise.resolve(onRead?.()).then(() => response.end(JSON.stringify({ now })))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(async () => {
    for (const clock of running.splice(0)) await clock.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const follow = (rounds?: Rounds) => start({ kind: 'url', url }, rounds)

  it('follows and stores an advance of a year, and starts again with it', async () => {
    const rounds = noRounds()
    const clock = await follow(rounds)
    advancedMs = year
    await until(() => clock.now().toISOString() === after(year), 'the advance was not followed')
    await until(async () => (await stored()) === after(year), 'the advance was not stored')
    const other = await follow()
    expect([clock.problem(), other.problem(), lines]).toEqual([null, null, []])
    await stop(clock)
    await stop(other)
    expect((await follow()).now().toISOString()).toBe(after(year))
  })

  it('starts while another process stores an advance that this process has not read yet', async () => {
    onRead = () => {
      onRead = undefined
      return store(Date.parse(begin) + year)
    }
    const clock = await follow()
    expect(clock.problem()).toBeNull()
  })

  it('ignores the followed clock while the system’s time has jumped', async () => {
    const rounds = noRounds()
    const clock = await follow(rounds)
    time.jump(2 * year)
    await twoRounds(rounds)
    expect(clock.now().toISOString()).toBe(begin)
    time.jump(-2 * year)
    await twoRounds(rounds)
    expect([clock.now().toISOString(), clock.problem()]).toEqual([begin, null])
    expect(lines.map(({ level }) => level)).toEqual(['error', 'warn'])
    await stop(clock)
    expect(await stored()).toBe(begin)
  })

  it('refuses a start with a stored value more than 1 hour ahead of that clock, and names the clock', async () => {
    await store(Date.parse(begin) + year)
    await expect(follow()).rejects.toThrow(
      `The stored value of the business clock, ${after(year)}, is more than 1 hour ahead of the clock at ${url}, ${begin}: correct the clock at ${url} if it is wrong, otherwise ${repair}.`,
    )
  })

  it('stands still with one error while that clock is more than 1 hour behind, and continues when that clock has caught up', async () => {
    const rounds = noRounds()
    const clock = await follow(rounds)
    advancedMs = year
    await until(() => clock.now().toISOString() === after(year), 'the advance was not followed')
    advancedMs = 0
    await until(() => clock.problem() !== null, 'the fall was not noticed')
    expect(clock.problem()).toBe(
      `The business clock stands still at ${after(year)}, because the clock at ${url} is at ${begin}: correct that clock, or ${repair} if that clock is right.`,
    )
    expect(clock.now().toISOString()).toBe(after(year))
    advancedMs = year
    await until(() => clock.problem() === null, 'the recovery was not noticed')
    expect(lines).toEqual([
      {
        level: 'error',
        facts: { at: after(year), present: begin },
        sentence:
          'The followed clock is more than 1 hour behind the business clock; /readyz answers 503, and the business clock stands still.',
      },
      isRightAgain,
    ])
  })
})
