import { describe, expect, it } from '@jest/globals'
import { withoutProof } from '#services/event-store/audit/event-proof'
import type { ReportParameters } from '#services/finance/reports/report-types'
import { financeLog } from '#services/reports/finance-log'
import type { ReportFile } from '#services/reports/formats/report-file'
import { createGatedReader } from '#services/reports/gated-reader'
import { createReplayReader } from '#services/reports/replay-reader'
import { day, zone } from '../../support/data/finance-values.ts'
import { until } from '../../support/machine/until.ts'

const timeZone = zone('UTC')
const parameters: ReportParameters = {
  from: null,
  to: null,
  asOf: day('2026-12-31'),
  knownAt: null,
  currency: 'usd',
  timeZone,
}
const figure = { report: 'mrr', column: 'new', key: {} } as const

/** A log of pages without events. Each page waits for `release`. */
function slowLog() {
  const waiting: (() => void)[] = []
  const counts = { running: 0, max: 0, pages: 0 }
  return {
    counts,
    release: () => waiting.splice(0).forEach((go) => go()),
    source: financeLog(
      {
        readStream: async () => [],
        async *readAll() {
          counts.running += 1
          counts.max = Math.max(counts.max, counts.running)
          try {
            for (let page = 0; page < 3; page += 1) {
              await new Promise<void>((go) => waiting.push(go))
              counts.pages += 1
              yield []
            }
          } finally {
            counts.running -= 1
          }
        },
      },
      withoutProof,
    ),
  }
}

const firstRows = (file: ReportFile) => file.rows()[Symbol.asyncIterator]().next()

/** Releases pages until the work ends. */
async function finished(work: Promise<unknown>, release: () => void): Promise<void> {
  let isDone = false
  const ended = work.finally(() => (isDone = true))
  while (!isDone) {
    release()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await ended
}

describe('the replays for the Reports page', () => {
  const { signal } = new AbortController()
  const request = { computedAt: '2026-12-31T00:00:00.000Z', signal }

  it('run one at a time, and are refused with 503 beyond the queue', async () => {
    const log = slowLog()
    const reader = createGatedReader(createReplayReader(log.source, timeZone), {
      atOnce: 1,
      waiting: 2,
    })
    const file = reader.report('mrr', parameters, request)
    const calls = [
      firstRows(file),
      reader.explain(figure, parameters, { after: null, limit: 50 }, signal),
      reader.state(signal),
    ]
    await expect(reader.state(signal)).rejects.toMatchObject({
      status: 503,
      retryAfterSeconds: 10,
    })
    await expect(firstRows(reader.report('mrr', parameters, request))).rejects.toMatchObject({
      status: 503,
    })
    await finished(Promise.all(calls), log.release)
    expect(log.counts).toEqual({ running: 0, max: 1, pages: 9 })
    // The queue is empty again.
    await finished(reader.state(signal), log.release)
  })

  it('end when the client disconnects, also while they wait', async () => {
    const log = slowLog()
    const reader = createGatedReader(createReplayReader(log.source, timeZone))
    const gone = new AbortController()
    const file = reader.report('mrr', parameters, { ...request, signal: gone.signal })
    const running = expect(firstRows(file)).rejects.toMatchObject({ name: 'AbortError' })
    const waiting = expect(reader.state(gone.signal)).rejects.toMatchObject({ name: 'AbortError' })
    const other = reader.state(signal)
    await until(() => log.counts.running > 0)
    gone.abort()
    await finished(Promise.all([running, waiting, other]), log.release)
    // One page of the call that ran, none of the one that waited, and the 3 of the other.
    expect(log.counts).toEqual({ running: 0, max: 1, pages: 4 })
  })
})
