import { describe, expect, it } from '@jest/globals'
import { subscribe } from '../../support/product/sandbox.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'

const { sandbox, stripe, advance, invoicesOf } = await sandboxOfFile()

const now = async () =>
  Date.parse(((await (await fetch(`${sandbox.url}/clock`)).json()) as { now: string }).now)
/** One call sets the clock forward by ten years at most. */
async function reach(instant: string): Promise<void> {
  const to = Date.parse(instant)
  for (let at = await now(); at < to; at = await now()) {
    const next = new Date(Math.min(to, at + 3_652 * 86_400_000)).toISOString()
    expect(await sandbox.post('/clock/advance', { to: next })).toMatchObject({ status: 200 })
  }
}

describe('a clock far ahead', () => {
  // From 2038 on, seconds with a fraction are no longer exact to the millisecond.
  it.each(['2038-01-19T03:14:08Z', '2040-02-29T23:59:59.999Z', '2100-12-31T12:00:00.123Z'])(
    'is set forward at %s by every duration',
    async (from) => {
      await reach(from)
      for (let step = 0; step < 20; step += 1)
        for (const by of ['P1M', 'PT1S', 'P1Y', 'P1DT12H']) {
          const { status, body } = await sandbox.post('/clock/advance', { by })
          expect([by, status, body['error']]).toEqual([by, 200, undefined])
        }
    },
    30_000,
  )

  it('renews a subscription at the full second', async () => {
    await reach('2150-01-31T00:00:00.777Z')
    const { customer } = await subscribe(stripe)
    await advance('P3M')
    const created = (await invoicesOf(customer)).map((invoice) => invoice.created)
    expect(created).toHaveLength(4)
    expect(created.map((seconds) => new Date(seconds * 1000).toISOString().slice(0, 10))).toEqual([
      '2150-01-31',
      '2150-02-28',
      '2150-03-31',
      '2150-04-30',
    ])
    await stripe.customers.del(customer)
  })

  it('ends before the year 10000, which no instant in the log can name', async () => {
    await sandbox.database.pool.query('UPDATE sandbox.settings SET clock_offset_ms = $1::bigint', [
      Date.UTC(9_985, 0, 1) - Date.now(),
    ])
    const last = await sandbox.post('/clock/advance', { by: 'P9Y' })
    expect([last.status, last.body['error']]).toEqual([
      400,
      'The clock ends with the year 9989, so that every period ends before the year 10000. Choose an earlier time.',
    ])
    await advance('P4Y')
    expect(new Date(await now()).getUTCFullYear()).toBe(9_989)
  })
})
