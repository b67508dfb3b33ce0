import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { applyBatch, PoisonEvent } from '#projections/engine/run/apply-batch'
import { runProjectors } from '#projections/engine/run/run-projectors'
import { users } from '#projections/users/read-model'
import type { StoredEvent } from '#services/event-store/event-store'
import { accountOpened } from '../../support/data/events.ts'
import { someEvent } from '../../support/data/some-event.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'
import { until } from '../../support/machine/until.ts'

const lines: { readonly sentence: string; readonly fields: object }[] = []
const note = (fields: object, sentence: string) => void lines.push({ fields, sentence })
const log = { info: () => undefined, warn: note, error: note }
beforeEach(() => void (lines.length = 0))

const sentences = () => lines.map(({ sentence }) => sentence)

describe('a batch that cannot be written', () => {
  const event: StoredEvent = {
    ...someEvent(),
    stream: 'account-usr_1',
    revision: 0,
    position: '1',
  }

  /** Fails the given number of times, then succeeds. */
  function writing(failures: number, code: string) {
    let attempts = 0
    const write = async () => {
      attempts += 1
      if (attempts <= failures)
        throw Object.assign(
          new Error('could not extend file "base/1/1": No space left on device'),
          { code },
        )
    }
    return { write, attempts: () => attempts }
  }
  const apply = (write: () => Promise<void>) =>
    applyBatch([event], { write, signal: new AbortController().signal, log, retryDelaysMs: [1] })

  it.each([
    ['the disk is full', '53100'],
    ['the database is read-only', '25006'],
  ])(
    'because %s is retried until it is written, with one log line at the start and one at the end',
    async (_why, code) => {
      const { write, attempts } = writing(3, code)
      await apply(write)
      expect(attempts()).toBe(4)
      expect(sentences()).toEqual([
        'Writing a batch failed; retrying with backoff.',
        'The batch is written.',
      ])
      expect(lines[0]?.fields).toMatchObject({ failure: { errorCode: code } })
    },
  )

  it('because of an event stops with PoisonEvent and logs no outage', async () => {
    await expect(apply(writing(9, '23502').write)).rejects.toBeInstanceOf(PoisonEvent)
    expect(lines).toEqual([])
  })
})

describe('projectors whose database does not answer', () => {
  const fixture = projectionFixturePerTest()
  let proxy: Server
  let isAway = false
  let refused = 0
  const sockets = new Set<Socket>()
  beforeEach(async () => {
    isAway = false
    refused = 0
    const { port } = new URL(fixture.db.connectionString)
    proxy = createServer((near) => {
      near.on('error', () => undefined)
      if (isAway) {
        refused += 1
        near.destroy()
        return
      }
      const far = connect(Number(port), '127.0.0.1').on('error', () => undefined)
      for (const socket of [near, far]) sockets.add(socket)
      near.pipe(far).pipe(near)
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    fixture.beforeEnd(() => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => proxy.close(resolve))
    })
  })

  it('retry with few log lines, and continue when the database is back', async () => {
    const stop = new AbortController()
    const through = Object.assign(new URL(fixture.db.connectionString), {
      port: String((proxy.address() as AddressInfo).port),
    }).href
    const running = runProjectors({
      ...fixture.engine,
      connectionString: through,
      model: users,
      log,
      signal: stop.signal,
    })
    try {
      await until(() => fixture.isBuilt(users))
      isAway = true
      for (const socket of sockets) socket.destroy()
      await until(async () => refused >= 5)
      isAway = false
      const position = await fixture.append(accountOpened('usr_1', 'dana@example.com'))
      expect(await fixture.projected([users], position, 30_000)).toBe(true)
      await until(async () => sentences().some((sentence) => sentence.endsWith('is read again.')))
      expect(
        sentences().filter((sentence) => sentence.startsWith('Reading the shard assignment')),
      ).toHaveLength(1)
      // The projector may log the lost lease once. No other part logs.
      expect(sentences().length).toBeLessThanOrEqual(4)
    } finally {
      stop.abort()
      await running
    }
  }, 60_000)
})
