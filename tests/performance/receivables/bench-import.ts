import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { startImportResponse } from '#contracts/receivables/imports'
import { inParallel } from '#services/foundation/in-parallel'
import { until } from '../../support/machine/until.ts'
import { benchOf } from '../billing/measured-product.ts'
import { onMeasuredProduct } from '../on-measured-product.ts'
import { watchMemory } from '../overload/watch-memory.ts'
import type { Row } from '../report.ts'
import { importPlainly } from './plain-import.ts'

const rows = 10_000
const clients = 2_000
const rowsOfCall = 500
/** Calls that the page has in progress. */
const atOnce = 2

const targetSeconds = 10
const targetMb = 300

const results = z.object({ results: z.array(z.object({ outcome: z.string() })) })

/**
 * The server's part of an import of 10,000 rows of 2,000 clients into the running product: the
 * check, the import, and the same file again. Plain SQL stores the same rows in the same run. The
 * memory is that of the product's process.
 */
export async function benchReceivablesImport(connectionString: string): Promise<readonly Row[]> {
  return onMeasuredProduct(connectionString, {}, async (product) => {
    const bench = benchOf(product, connectionString)
    const merchant = await bench.newCustomer()
    await merchant.pay('visa', false)

    async function call(path: string, body: unknown): Promise<unknown> {
      for (;;) {
        const response = await fetch(`${product.url}/api/receivables/${path}`, {
          method: 'POST',
          headers: {
            'x-requested-with': 'fetch',
            'content-type': 'application/json',
            'x-forwarded-for': '198.18.0.1',
            cookie: merchant.cookieHeader(),
          },
          body: JSON.stringify(body),
        })
        const text = await response.text()
        if (response.ok) return JSON.parse(text)
        // The page waits, too.
        const seconds = Number(response.headers.get('retry-after') ?? NaN)
        if (Number.isNaN(seconds)) throw new Error(`${path} answered ${response.status}: ${text}`)
        await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
      }
    }

    const file = { fileName: 'bench.csv', size: 1_000_000, sha256: 'b'.repeat(64), rows }
    const parts = Array.from({ length: rows / rowsOfCall }, (_, part) =>
      Array.from({ length: rowsOfCall }, (__, index) => rowOf(part * rowsOfCall + index)),
    )
    /** Seconds, those of a processor in the product's process, and the rows by outcome. */
    async function send(pathOf: () => Promise<string>) {
      const outcomes = new Map<string, number>()
      const began = performance.now()
      const busyBefore = await busySeconds(product.pid)
      const path = await pathOf()
      await inParallel(atOnce, parts, async (part) => {
        for (const { outcome } of results.parse(await call(path, { rows: part })).results)
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      })
      const busy = (await busySeconds(product.pid)) - busyBefore
      return { seconds: (performance.now() - began) / 1_000, busy, outcomes }
    }
    const started = async () => {
      const { importId } = startImportResponse.parse(await call('imports', file))
      return `imports/${importId}/rows`
    }

    // The webhook of the payment arrives after the answer of the hosted page.
    await until(
      () =>
        call('imports/check', { rows: [rowOf(0)] }).then(
          () => true,
          () => false,
        ),
      'the merchant has no plan',
      30,
    )
    const memory = watchMemory(product.pid)
    const check = await send(() => Promise.resolve('imports/check'))
    const first = await send(started)
    const again = await send(started)
    const plain = await importPlainly(connectionString, parts, atOnce)
    const peakMb = Math.max(...memory.stop())
    if (first.outcomes.get('added') !== rows || again.outcomes.get('unchanged') !== rows)
      throw new Error(
        `The import ended as ${JSON.stringify([...first.outcomes, ...again.outcomes])}.`,
      )

    const within = (seconds: number) => ({
      text: `< ${targetSeconds} s`,
      isMet: seconds < targetSeconds,
    })
    const row = (what: string, sent: { readonly seconds: number; readonly busy: number }): Row => ({
      what,
      measured: `${sent.seconds.toFixed(1)} s, ${sent.busy.toFixed(1)} s of a processor in Node`,
      target: within(sent.seconds),
    })
    return [
      row('check of 10,000 rows', check),
      {
        ...row('import of 10,000 rows of 2,000 clients', first),
        against: `plain SQL of the same rows, ${plain.toFixed(2)} s`,
        ratio: plain / first.seconds,
      },
      row('the same file again', again),
      {
        what: 'largest memory of the product meanwhile',
        measured: `${Math.round(peakMb)} MB`,
        target: { text: `< ${targetMb} MB`, isMet: peakMb < targetMb },
      },
    ]
  })
}

const ticksOfSecond = 100

/** Processor time of all threads of a process so far, in seconds. Linux only. */
async function busySeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The second field, the name, is in parentheses and can have spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksOfSecond
}

function rowOf(index: number) {
  const client = index % clients
  return {
    row: index + 2,
    number: `INV-${index}`,
    client: { name: `Client ${client}`, email: `accounts${client}@client.example`, phone: null },
    issueDate: '2025-11-01',
    dueDate: '2025-12-01',
    amount: 10_000 + index,
    openAmount: index % 4 === 0 ? 5_000 : null,
    currency: 'usd',
    reference: `Visit ${index}`,
    url: null,
    textConsent: null,
  }
}
