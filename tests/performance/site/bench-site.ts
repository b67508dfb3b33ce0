import { loadavg } from 'node:os'
import { publicPaths } from '#contracts/pages'
import { launchBrowser } from '../../support/browser/browser.ts'
import { freePort } from '../../support/machine/free-port.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { startProduct } from '../../support/product/run-product.ts'
import { milliseconds, type Row } from '../report.ts'
import { median } from '../statistics.ts'
import { measureInteractions } from './interactions.ts'
import { runLighthouse } from './lighthouse-run.ts'

const loads = 9
const targets = { score: 95, lcpMs: 1_800, cls: 0.02, inpMs: 150 } as const

/**
 * Measures the public pages of a running product with Lighthouse's throttled phone, and how fast
 * the landing page answers a visitor's inputs. Performance, LCP and CLS are the medians of nine
 * loads. The other categories do not depend on time and are scored once.
 */
export async function benchSite(): Promise<readonly Row[]> {
  const directory = await temporaryDirectory()
  const port = await freePort()
  const product = await startProduct({ dataDir: directory.path })
  const browser = await launchBrowser({ debuggingPort: port })
  try {
    const rows: Row[] = []
    for (const path of publicPaths) rows.push(...(await benchPage(product.url + path, path, port)))
    const interactions = await measureInteractions(browser, product.url)
    const inp = Math.max(...interactions.map(({ ms }) => ms))
    rows.push({
      what: '/: INP',
      measured: milliseconds(inp),
      target: { text: `≤ ${targets.inpMs} ms`, isMet: inp <= targets.inpMs },
      details: [
        `Interactions: ${interactions.map(({ what, ms }) => `${what} ${ms} ms`).join(', ')}`,
        `Load average at the end: ${loadavg()[0]?.toFixed(1)}`,
      ],
    })
    return rows
  } finally {
    await browser.close()
    await product.stop()
    await directory.remove()
  }
}

async function benchPage(url: string, path: string, port: number): Promise<readonly Row[]> {
  const first = await runLighthouse(url, port)
  const reports = [first]
  while (reports.length < loads) reports.push(await runLighthouse(url, port, ['performance']))
  const performance = median(reports.map(({ scores }) => scores.performance ?? 0))
  const scores = Object.values({ ...first.scores, performance })
  const lcps = reports.map(({ lcpMs }) => lcpMs)
  const lcp = median(lcps)
  const cls = median(reports.map((report) => report.cls))
  return [
    {
      what: `${path}: performance, accessibility, best practices, SEO`,
      measured: scores.join(', '),
      target: {
        text: `≥ ${targets.score} each`,
        isMet: scores.every((score) => score >= targets.score),
      },
      details: first.failures.map((failure) => `${path}: ${failure}`),
    },
    {
      what: `${path}: LCP`,
      measured: milliseconds(lcp),
      against: `of ${loads}: ${Math.round(Math.min(...lcps))} to ${Math.round(Math.max(...lcps))} ms`,
      target: { text: `≤ ${targets.lcpMs} ms`, isMet: lcp <= targets.lcpMs },
      details: [`${path}: LCP of each load in ms: ${lcps.map(Math.round).join(', ')}`],
    },
    {
      what: `${path}: CLS`,
      measured: cls.toFixed(3),
      target: { text: `≤ ${targets.cls}`, isMet: cls <= targets.cls },
    },
  ]
}
