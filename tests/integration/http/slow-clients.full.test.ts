import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { z } from 'zod'
import { createAdmission, type Admission } from '#services/http/admission/admission'
import { createBodyArrivals } from '#services/http/admission/body-arrival'
import { workLimits, workNames, type Work, type WorkLimits } from '#services/http/admission/work'
import { file } from '#services/http/answer'
import type { Routes } from '#services/http/routes'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { until } from '../../support/machine/until.ts'

/* Clients that send or read slowly must not take the places of others. */

const sentences = workLimits({ requests: 6, reading: 6 })
const limits = Object.fromEntries(
  workNames.map((work) => [
    work,
    { ...sentences[work], atOnce: 2, waiting: 0, share: { atOnce: 2, waiting: 0 } },
  ]),
) as Readonly<Record<Work, WorkLimits>>

const areas: Routes = (route) => {
  route({
    method: 'post',
    path: '/api/echo',
    summary: 'Repeat a text',
    access: 'public',
    work: 'sign-in',
    body: z.object({ text: z.string() }),
    answer: z.object({ length: z.number() }),
    handle: async ({ body }) => ({ length: body.text.length }),
  })
  route({
    method: 'get',
    path: '/api/large',
    summary: 'Send much',
    access: 'public',
    answer: file('text/plain', 'Much text'),
    handle: async () => ({ content: 'x'.repeat(32 * 1_024 * 1_024) }),
  })
}

let server: AreaServer
let admission: Admission
const arrivals = createBodyArrivals(500_000)
const open: Socket[] = []
beforeAll(async () => {
  admission = createAdmission({ limits, log: { warn: () => undefined }, arrivals })
  server = await serveArea(areas, pino({ level: 'silent' }), { admission })
})
afterAll(() => server.close())
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy()
})

const running = (work: Work) =>
  admission.measured().find((each) => each.work === work)?.running ?? NaN

async function send(text: string): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1')
  open.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

const head = (length: number) =>
  `POST /api/echo HTTP/1.1\r\nHost: x\r\nX-Requested-With: fetch\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

const echo = async (text: string) => {
  const response = await fetch(`${server.url}/api/echo`, {
    method: 'POST',
    headers: { 'X-Requested-With': 'fetch', 'Content-Type': 'application/json' },
    body: JSON.stringify({ text }),
  })
  return { status: response.status, answer: (await response.json()) as unknown }
}

describe('a client that sends its body slowly', () => {
  it.each([1, 40_000])('holds no place after %d bytes of it', async (bytes) => {
    const begun = `{"text":"${'x'.repeat(bytes)}`
    const slow = await Promise.all(
      Array.from({ length: 4 }, () => send(`${head(begun.length + 2)}${begun}`)),
    )
    // The server has read what arrived: it answers a later request.
    await sleep(50)
    expect(await echo('ab')).toEqual({ status: 200, answer: { length: 2 } })
    expect(running('sign-in')).toBe(0)

    const [first] = slow
    if (first === undefined) throw new Error('No client')
    const answered = once(first, 'data')
    first.write('"}')
    expect(String((await answered)[0])).toContain(`{"length":${bytes}}`)
  })

  it('gets the whole of a body of any allowed size to the handler', async () => {
    for (const length of [0, 1, 16_384, 60_000])
      expect(await echo('x'.repeat(length))).toEqual({ status: 200, answer: { length } })
    expect((await echo('x'.repeat(70_000))).status).toBe(413)
    expect(running('sign-in')).toBe(0)
  })
})

describe('a client that sends a body above the limit', () => {
  const large = 70_000
  const chunks = `${large.toString(16)}\r\n${'x'.repeat(large)}\r\n`
  const withoutLength = head(0).replace('Content-Length: 0', 'Transfer-Encoding: chunked')

  it.each([
    ['that it announces', head(large)],
    ['in chunks', withoutLength + chunks],
    ['of a GET', `GET /api/large HTTP/1.1\r\nHost: x\r\nContent-Length: ${large}\r\n\r\n`],
  ])('%s, and then nothing more, gets 413 and holds no place', async (_what, text) => {
    const stalled = await Promise.all(Array.from({ length: 4 }, () => send(text)))
    for (const socket of stalled)
      expect(String((await once(socket, 'data'))[0])).toMatch(
        /^HTTP\/1.1 413 [^]*"error":"The request is larger than this call allows\."/,
      )
    expect([running('sign-in'), running('customer')]).toEqual([0, 0])
    expect(await echo('ab')).toEqual({ status: 200, answer: { length: 2 } })
  })
})

describe('a client that sends its body without end', () => {
  const chunk = 'x'.repeat(64 * 1_024)
  const framed = `${chunk.length.toString(16)}\r\n${chunk}\r\n`
  const withoutLength = (method: string, path: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`

  it.each([
    ['above the limit, announced', head(1e12), chunk, 413],
    ['above the limit, in chunks', withoutLength('POST', '/api/echo'), framed, 413],
    ['to a call that does not exist', withoutLength('POST', '/api/nothing'), framed, 413],
    ['to a page', withoutLength('POST', '/'), framed, 405],
    ['to a health check', withoutLength('GET', '/healthz'), framed, 200],
  ])('%s, receives the answer and is disconnected', async (_what, begin, part, status) => {
    const socket = await send(begin)
    let answer = ''
    socket.on('data', (data) => (answer += String(data)))
    const isOver = new Promise((resolve) => socket.once('close', resolve))
    while (!socket.destroyed) {
      if (!socket.write(part))
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), isOver])
      // What the sockets of the system hold is some MB.
      expect(socket.bytesWritten - socket.writableLength).toBeLessThan(32 * 1_024 * 1_024)
    }
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  it('waits for its refusal, and the server reads nothing more of the body', async () => {
    const socket = await send(withoutLength('POST', '/api/echo') + framed)
    const sent: number[] = []
    for (let n = 0; n < 2; n += 1) {
      while (socket.write(chunk));
      await sleep(100)
      sent.push(socket.bytesWritten - socket.writableLength)
    }
    expect(sent[1]).toBe(sent[0])
  })
})

describe('bodies that arrive slowly', () => {
  it('take no more memory than the limit: the oldest are refused', async () => {
    const part = 'x'.repeat(60_000)
    const slow: Socket[] = []
    for (let sent = 0; sent < 12; sent += 1) {
      slow.push(await send(head(60_001) + part))
      await until(() => arrivals.bytes() > 0)
    }
    // 500,000 bytes together are 8 bodies.
    const [first, ...others] = slow
    if (first === undefined) throw new Error('No client')
    expect(String((await once(first, 'data'))[0])).toMatch(/^HTTP\/1.1 503 [^]*Retry-After: 5/)
    expect(arrivals.bytes()).toBeLessThanOrEqual(500_000)
    expect(await echo('ab')).toEqual({ status: 200, answer: { length: 2 } })
    for (const socket of others) socket.destroy()
    await until(() => arrivals.bytes() === 0)
  })
})

describe('a client that does not read its answer', () => {
  const request = 'GET /api/large HTTP/1.1\r\nHost: x\r\n\r\n'

  it('holds no place after the answer was made', async () => {
    const socket = await send(request)
    await once(socket, 'readable')
    await until(() => running('customer') === 0)
    expect(socket.bytesRead).toBeLessThan(32 * 1_024 * 1_024)
  })

  it('holds no place with further requests behind this answer', async () => {
    const socket = await send(`${request}${request}`)
    await once(socket, 'readable')
    await until(() => running('customer') === 0)
  })
})
