import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { descendantsOf } from '../support/machine/descendants.ts'
import { mountSmallDisk, whyNoSmallDisk, type SmallDisk } from '../support/machine/small-disk.ts'
import { createClient, payAt } from '../support/product/client.ts'
import { runBilling } from '../support/product/run-billing.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'
import { until } from '../support/machine/until.ts'

/*
 * The whole product on a disk that is really full, and over a database whose processes are stopped.
 */

interface Answer {
  readonly status: number
  readonly reasons: readonly string[]
}

/** @throws without an answer within 3 s: a load balancer would take that for a failure. */
async function readyz(product: RunningProduct): Promise<Answer> {
  const response = await fetch(`${product.url}/readyz`, { signal: AbortSignal.timeout(3_000) })
  return {
    status: response.status,
    reasons: ((await response.json()) as { reasons: readonly string[] }).reasons,
  }
}

async function untilReadyz(
  product: RunningProduct,
  isSo: (answer: Answer) => boolean,
): Promise<Answer> {
  let last: Answer | null = null
  return until(
    async () => {
      last = await readyz(product)
      return isSo(last) && last
    },
    () => `/readyz answers ${JSON.stringify(last)}. The product printed:\n${product.output()}`,
    90,
  )
}

const isReady = ({ status }: Answer) => status === 200
const linesOf = (product: RunningProduct) => product.output().split('\n').length

/** The first lines of postmaster.pid: process, directory, start, port. */
function postmaster({ dataDir }: RunningProduct): { readonly pid: number; readonly port: number } {
  const lines = readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')
  return { pid: Number(lines[0]), port: Number(lines[3]) }
}

async function query(product: RunningProduct, text: string): Promise<void> {
  const password = readFileSync(join(product.dataDir, 'postgres/password'), 'utf8')
  const client = new pg.Client({
    host: '127.0.0.1',
    port: postmaster(product).port,
    user: 'billing',
    password,
    database: 'billing',
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

const skipped = whyNoSmallDisk()
if (skipped !== null) {
  describe('a product whose disk is full', () => {
    it.skip(`is not ready, logs few lines and recovers by itself (${skipped})`, () => undefined)
  })
} else {
  describeFullDisk()
}

function describeFullDisk(): void {
  describe('a product whose disk is full', () => {
    let small: SmallDisk
    let product: RunningProduct
    beforeAll(async () => {
      small = mountSmallDisk(220)
      product = await startProduct({ dataDir: join(small.path, 'data') })
    }, 120_000)
    afterAll(async () => {
      small?.free()
      await product?.stop()
      small?.remove()
    }, 60_000)

    const paymentsOf = async (dana: ReturnType<typeof createClient>, email: string) =>
      ((await dana.get(`/api/payments?email=${encodeURIComponent(email)}`)).body?.['payments'] ??
        []) as { amount_total: number }[]

    /** Buys a plan. Its webhooks arrive up to 3 s later. */
    async function buy(email: string) {
      await fetch(`${product.sandboxUrl}/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"webhooks":{"reorder":1}}',
      })
      const dana = createClient(product)
      await dana.signUp(email)
      const { body } = await dana.createCheckoutSession(email)
      expect(await payAt(String(body?.['url']))).toMatchObject({ status: 303 })
      return dana
    }

    async function untilShown(dana: ReturnType<typeof createClient>, email: string): Promise<void> {
      await until(
        async () => (await paymentsOf(dana, email)).length > 0,
        () => `the purchase is not shown. The product printed:\n${product.output()}`,
        60,
      )
      expect((await paymentsOf(dana, email)).map(({ amount_total }) => amount_total)).toEqual([39])
    }

    it('is not ready, names the reason, logs few lines, and completes the purchase after space is free', async () => {
      const dana = await buy('dana@example.com')
      small.fill()
      const before = linesOf(product)
      expect(await untilReadyz(product, ({ status }) => status === 503)).toEqual({
        status: 503,
        reasons: [
          'The database cannot write: the disk is full (53100). Free some space on the disk that holds the database; the product then continues by itself.',
        ],
      })
      for (let look = 0; look < 40; look += 1) {
        expect((await readyz(product)).status).toBe(503)
        await sleep(250)
      }
      expect(linesOf(product) - before).toBeLessThan(20)

      small.free()
      await untilReadyz(product, isReady)
      await untilShown(dana, 'dana@example.com')
      expect(product.output()).toContain('The database accepts writes again.')
    }, 240_000)

    it('recovers every paid purchase after the full disk has ended the database server', async () => {
      const dana = await buy('mira@example.com')
      small.fill()
      const died = async () => {
        // Fills the segments of the write-ahead log. Without room for another segment, the server
        // ends itself.
        for (;;)
          await query(product, `SELECT pg_logical_emit_message(true, 'fill', repeat('x', 1000000))`)
      }
      await expect(died()).rejects.toThrow()
      const before = linesOf(product)
      const { reasons } = await untilReadyz(product, (answer) =>
        answer.reasons.some((reason) =>
          reason.startsWith('The disk that holds DATA_DIR has 0 MB left.'),
        ),
      )
      expect(reasons[0]).toMatch(/^The database (does not answer|cannot write|is starting)/)
      for (let look = 0; look < 40; look += 1) {
        expect((await readyz(product)).status).toBe(503)
        await sleep(250)
      }
      // A line for each task that fails and for each connection that broke, not for each attempt.
      expect(linesOf(product) - before).toBeLessThan(100)

      small.free()
      await untilReadyz(product, isReady)
      await untilShown(dana, 'mira@example.com')
      expect(product.output()).toContain('The embedded PostgreSQL is back.')
      expect(await runBilling({ DATA_DIR: product.dataDir }, 'events', 'verify')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('every chain holds') as unknown,
      })
      expect(
        await runBilling({ DATA_DIR: product.dataDir }, 'projections', 'verify'),
      ).toMatchObject({ code: 0 })
    }, 240_000)
  })
}

const isLinux = process.platform === 'linux'
const itOnLinux = isLinux
  ? it
  : (name: string) =>
      it.skip(`${name} (needs /proc to find the processes of the server)`, () => undefined)

describe('a product whose database is frozen', () => {
  itOnLinux(
    'answers within 3 s that it is not ready, and is ready again after the database continues',
    async () => {
      const product = await startProduct()
      const server = postmaster(product).pid
      const signal = (name: NodeJS.Signals) =>
        [server, ...descendantsOf(server)].forEach((pid) => process.kill(pid, name))
      try {
        signal('SIGSTOP')
        const { reasons } = await untilReadyz(product, ({ status }) => status === 503)
        expect(reasons.join()).toMatch(/does not answer within 2 s|cannot be read/)
        expect(
          (
            await untilReadyz(
              product,
              ({ reasons: [first] }) => first?.startsWith('The database does not answer') === true,
            )
          ).status,
        ).toBe(503)
        signal('SIGCONT')
        await untilReadyz(product, isReady)
      } finally {
        signal('SIGCONT')
        await product.stop()
      }
    },
    180_000,
  )
})
