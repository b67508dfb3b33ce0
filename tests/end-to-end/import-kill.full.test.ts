import { expect, it } from '@jest/globals'
import {
  importResponse,
  importRowsResponse,
  startImportResponse,
} from '#contracts/receivables/imports'
import { invoicesPage } from '#contracts/receivables/invoices'
import { inParallel } from '#services/foundation/in-parallel'
import { makePerson } from '../../scripts/billing/demo/person.ts'
import { createRandom } from '../../scripts/billing/demo/random.ts'
import { seededRandom } from '../../scripts/billing/demo/seeded-random.ts'
import { createVisitor } from '../../scripts/billing/demo/visitor.ts'
import { freePort } from '../support/machine/free-port.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { until } from '../support/machine/until.ts'
import { startProduct } from '../support/product/run-product.ts'

/* The product is killed in the middle of an import of 10,000 rows, and continues it. */

const rows = 10_000
const rowsOfCall = 500

it('an import continues after kill -9 without doubles', async () => {
  const directory = await temporaryDirectory()
  const env = { PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) }
  const start = () => startProduct({ dataDir: directory.path, env })
  let product = await start()
  try {
    const places = {
      productUrl: product.url,
      sandboxUrl: product.sandboxUrl,
      signal: new AbortController().signal,
    }
    const person = makePerson(0, createRandom(seededRandom(1)))
    const merchant = createVisitor(places, person, '198.18.0.1')
    await merchant.signUp(true)
    await merchant.pay('visa', false)

    /** Null: no answer, or one that asks for another try. */
    async function call(method: string, path: string, body?: unknown): Promise<unknown> {
      const response = await fetch(`${product.url}/api/receivables/${path}`, {
        method,
        headers: {
          'x-requested-with': 'fetch',
          'content-type': 'application/json',
          cookie: merchant.cookieHeader(),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch(() => null)
      return response?.ok === true ? response.json().catch(() => null) : null
    }

    const file = { fileName: 'open.csv', size: 1_000_000, sha256: 'c'.repeat(64), rows }
    // The webhook of the payment arrives after the answer of the hosted page.
    const started = await until(() => call('POST', 'imports', file), 'the import is not started')
    const { importId } = startImportResponse.parse(started)
    const parts = Array.from({ length: rows / rowsOfCall }, (_, part) =>
      Array.from({ length: rowsOfCall }, (__, index) => rowOf(part * rowsOfCall + index)),
    )
    const stored = async () => {
      const page = importResponse.parse(await call('GET', `imports/${importId}`))
      return page.storedRows.reduce((sum, [first, last]) => sum + last - first + 1, 0)
    }
    const sending = inParallel(2, parts, async (part) => {
      await call('POST', `imports/${importId}/rows`, { rows: part })
    })
    await until(async () => (await stored()) >= rows / 4, 'too few rows are stored', 120)
    await product.stop('SIGKILL')
    await sending
    product = await start()
    expect(await stored()).toBeLessThan(rows)

    // As the page does it: whatever it is not sure of, it sends again.
    await inParallel(2, parts, async (part) => {
      const answer = await until(
        () => call('POST', `imports/${importId}/rows`, { rows: part }),
        'a part is not stored',
        120,
      )
      const { results } = importRowsResponse.parse(answer)
      expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['added']))
    })
    expect(await call('POST', `imports/${importId}/finish`, {})).toMatchObject({
      standing: 'finished',
      counts: { added: rows },
    })
    const { total, sums } = await until(async () => {
      const page = invoicesPage.parse(await call('GET', 'invoices?filter=all'))
      return page.total === rows ? page : null
    }, 'the list does not have the invoices')
    expect(total).toBe(rows)
    expect(JSON.stringify(sums)).toContain(String(rows * 6_000))
  } finally {
    await product.stop()
    await directory.remove()
  }
}, 600_000)

function rowOf(index: number) {
  return {
    row: index + 2,
    number: `INV-${index}`,
    client: { name: `Client ${index % 2_000}` },
    dueDate: '2025-12-01',
    amount: 10_000,
    openAmount: 6_000,
    currency: 'usd',
    textConsent: null,
  }
}
