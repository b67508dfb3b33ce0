import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { z } from 'zod'
import { errorBody } from '#contracts/errors'
import type { Sleep } from '#services/foundation/sleep'
import { createAdmission, type Admission } from '#services/http/admission/admission'
import { leavePlace } from '#services/http/admission/hold-place'
import { workLimits, workNames, type Work, type WorkLimits } from '#services/http/admission/work'
import { eventStream } from '#services/http/event-stream'
import type { Routes } from '#services/http/routes'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { until } from '../../support/machine/until.ts'

const sentences = workLimits({ requests: 2, reading: 2 })
const limits = Object.fromEntries(
  workNames.map((work) => [
    work,
    // All clients of this test are one network.
    { ...sentences[work], atOnce: 2, waiting: 3, share: { atOnce: 2, waiting: 3 } },
  ]),
) as Readonly<Record<Work, WorkLimits>>

/** The calls that wait in their handlers, by class. */
const held = new Map<string, (() => void)[]>()
const answered: string[] = []
const free = (name: string) => {
  for (const end of held.get(name)?.splice(0) ?? []) end()
}

/** One call per class; its handler waits until the test frees it. */
const areas: Routes = (route) => {
  for (const work of workNames)
    route({
      method: 'post',
      path: `/api/${work}/:id`,
      summary: 'Wait',
      access: 'public',
      work,
      params: z.object({ id: z.string() }),
      answer: z.object({ done: z.string() }),
      handle: async ({ params: { id } }) => {
        await new Promise<void>((end) => held.set(work, [...(held.get(work) ?? []), end]))
        answered.push(id)
        return { done: id }
      },
    })
  route({
    method: 'get',
    path: '/api/stream',
    summary: 'Wait for ever',
    access: 'public',
    work: 'admin',
    answer: eventStream('Nothing'),
    handle: async () => () => undefined,
  })
}

/** Ends the longest wait of every request that waits. */
const endWaits = new Set<() => void>()
const manualSleep: Sleep = (_milliseconds, signal) =>
  new Promise((resolve) => {
    endWaits.add(resolve)
    signal.addEventListener('abort', () => {
      endWaits.delete(resolve)
      resolve()
    })
  })

let server: AreaServer
let admission: Admission
const lines: { readonly sentence: string; readonly facts: object }[] = []
beforeAll(async () => {
  admission = createAdmission({
    limits,
    sleep: manualSleep,
    log: { warn: (facts, sentence) => lines.push({ facts, sentence }) },
  })
  server = await serveArea(areas, pino({ level: 'silent' }), { admission })
})
afterAll(() => server.close())
beforeEach(() => {
  answered.length = 0
})

const call = (work: string, id: string, signal?: AbortSignal) =>
  fetch(`${server.url}/api/${work}/${id}`, {
    method: 'POST',
    headers: { 'X-Requested-With': 'fetch' },
    ...(signal && { signal }),
  })
const state = (work: Work) => {
  const found = admission.measured().find((each) => each.work === work)
  if (found === undefined) throw new Error(`No class ${work}`)
  return found
}
describe.each(workNames)('requests of the class %s', (work) => {
  it('run and wait within their limits; beyond them they are refused with a sentence', async () => {
    const before = state(work).refused
    const running = [call(work, '1'), call(work, '2')]
    await until(() => held.get(work)?.length === 2)
    const waiting = [call(work, '3'), call(work, '4'), call(work, '5')]
    await until(() => state(work).waiting === 3)

    const refused = await call(work, '6')
    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get('retry-after'))).toBe(limits[work].retryAfterSeconds)
    expect(errorBody.parse(await refused.json())).toEqual({ error: limits[work].sentence })
    expect(state(work).refused).toBe(before + 1)

    // The others have their own places.
    const other = work === 'customer' ? 'admin' : 'customer'
    const unhindered = call(other, 'other')
    await until(() => held.get(other)?.length === 1)
    free(other)
    expect((await unhindered).status).toBe(200)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)

    free(work)
    await until(() => held.get(work)?.length === 2)
    free(work)
    await until(() => held.get(work)?.length === 1)
    free(work)
    for (const each of [...running, ...waiting]) expect((await each).status).toBe(200)
    expect(
      answered
        .filter((id) => id !== 'other')
        .slice(0, 2)
        .sort(),
    ).toEqual(['1', '2'])
    expect(state(work)).toMatchObject({ running: 0, waiting: 0 })
  })
})

describe('a request that waits for a place', () => {
  it('is refused after the longest wait', async () => {
    const running = [call('checkout', '1'), call('checkout', '2')]
    await until(() => held.get('checkout')?.length === 2)
    const refusal = call('checkout', '3')
    await until(() => state('checkout').waiting === 1)
    for (const end of endWaits) end()
    const late = await refusal
    expect(late.status).toBe(503)
    expect(late.headers.get('retry-after')).not.toBeNull()
    free('checkout')
    await Promise.all(running)
    expect(answered.sort()).toEqual(['1', '2'])
  })

  it('leaves the queue when its client disconnects, and is not handled', async () => {
    const running = [call('admin', '1'), call('admin', '2')]
    await until(() => held.get('admin')?.length === 2)
    const gone = new AbortController()
    const aborted = call('admin', '3', gone.signal).catch(() => null)
    await until(() => state('admin').waiting === 1)
    gone.abort()
    await aborted
    await until(() => state('admin').waiting === 0)
    free('admin')
    await Promise.all(running)
    await until(() => state('admin').running === 0)
    expect(answered.sort()).toEqual(['1', '2'])
  })
})

it('a client that disconnects during its call gives its place back', async () => {
  const { port } = server
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    'POST /api/reports/1 HTTP/1.1\r\nHost: x\r\nX-Requested-With: fetch\r\nContent-Length: 0\r\n\r\n',
  )
  await until(() => state('reports').running === 1)
  socket.destroy()
  await until(() => state('reports').running === 0)
  free('reports')
})

it('an address counts in its class whatever its case, slash and query', async () => {
  const running = [call('exports', '1'), call('exports', '2')]
  await until(() => held.get('exports')?.length === 2)
  const waiting = ['3/', '4?x=1', '5'].map((id) => call('EXPORTS', id))
  await until(() => state('exports').waiting === 3)
  expect((await call('Exports', '6/?q=/api/customer/1')).status).toBe(503)
  for (let round = 0; round < 3; round += 1) {
    await until(() => (held.get('exports')?.length ?? 0) > 0)
    free('exports')
    await sleep(20)
  }
  await Promise.all([...running, ...waiting])
})

it('a stream that stays open holds no place after its head', async () => {
  const streams: Response[] = []
  for (let n = 0; n < 12; n += 1) streams.push(await fetch(`${server.url}/api/stream`))
  expect(streams.map(({ status }) => status)).toEqual(Array(12).fill(200))
  expect(state('admin').running).toBe(0)
  for (const { body } of streams) await body?.cancel()
})

it('an answer that is made and only waits holds no place', async () => {
  const waiting: ServerResponse[] = []
  const own = createAdmission({ limits, log: { warn: () => undefined } })
  const http = createServer(
    own.guard(
      (_request, response) => {
        leavePlace(response)
        waiting.push(response)
      },
      () => ({ work: 'client-portal', call: 'wait', opensStream: false, isSigned: null }),
      () => ({ network: 'one', sessions: [] }),
    ),
  ).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  // More than the places and the queue of the class.
  const answers = Array.from({ length: 12 }, () => fetch(`http://127.0.0.1:${port}/`))
  await until(() => waiting.length === 12)
  expect(own.measured().find(({ work }) => work === 'client-portal')?.running).toBe(0)
  for (const response of waiting) response.end()
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(12).fill(200))
  http.close()
})

it('the log has one line per class and minute', () => {
  const ofAdmin = lines.filter(({ facts }) => 'work' in facts && facts.work === 'sign-in')
  expect(ofAdmin).toHaveLength(1)
  expect(ofAdmin[0]?.sentence).toMatch(/^Requests were refused with 503/)
})
