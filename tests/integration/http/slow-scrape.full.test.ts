import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from '@jest/globals'
import express from 'express'
import { createMetrics } from '#services/http/metrics/metrics'

const projections = (eventsBehind: number) => ({
  projections: [
    {
      name: 'users',
      version: 6,
      schema: 'users_v7',
      eventsBehind,
      state: 'running',
      isBuilt: true,
      hasProjector: true,
      updatedAt: new Date().toISOString(),
    },
  ],
  skipped: [],
  parked: [],
})

it('a scrape answers with the last values and their age while the database does not answer', async () => {
  let answers = [Promise.resolve(projections(3))]
  let isWritable: Promise<boolean> = Promise.resolve(true)
  let readings = 0
  let collections = 0
  const metrics = createMetrics({
    overview: () => {
      readings += 1
      return answers.shift() ?? Promise.reject(new Error('not expected'))
    },
    isReady: () => Promise.resolve(true),
    isWritable: () => isWritable,
    reconciler: async () => null,
    outbox: async () => [],
    controls: async () => ({ firings: [], parkedCustomers: 0 }),
    integrity: () => Promise.resolve({ works: [], uncleaned: { count: 0, ageSeconds: 0 } }),
    work: () => {
      collections += 1
      return [{ work: 'checkout', running: 2, waiting: 5, refused: 7, limited: 0 }]
    },
    log: { warn: () => undefined },
  })
  const server = createServer(express().use(metrics.routes)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const ageOf = (text: string) =>
    Number(/metrics_age_seconds\{part="projections"\} ([\d.]+)/.exec(text)?.[1] ?? NaN)

  const first = await scrape()
  expect(first).toContain('projection_events_behind{projection="users_v7"} 3')
  expect(first).toContain('work_in_flight{work="checkout"} 2')
  expect(first).toContain('work_queued{work="checkout"} 5')
  expect(first).toContain('work_refused_total{work="checkout"} 7')
  expect(ageOf(first)).toBe(0)

  // The database freezes.
  let answer: (value: ReturnType<typeof projections>) => void = () => undefined
  answers = [new Promise((resolve) => (answer = resolve)), Promise.resolve(projections(8))]
  isWritable = new Promise(() => undefined)
  for (let scrapes = 0; scrapes < 2; scrapes += 1) {
    const frozen = await scrape()
    expect(frozen).toContain('projection_events_behind{projection="users_v7"} 3')
    expect(ageOf(frozen)).toBeGreaterThan(0)
  }
  // The second scrape did not read again: one reading at a time.
  expect(readings).toBe(2)

  // Scrapes at the same time share one collection. A scrape calls `work` for three metrics.
  collections = 0
  const together = await Promise.all(Array.from({ length: 20 }, scrape))
  expect(new Set(together).size).toBe(1)
  expect(collections).toBe(4)

  answer(projections(9))
  await new Promise(setImmediate)
  const later = await scrape()
  expect(later).toContain('projection_events_behind{projection="users_v7"} 8')
  expect(ageOf(later)).toBe(0)
  server.closeAllConnections()
  server.close()
})
