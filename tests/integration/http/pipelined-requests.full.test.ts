import { once } from 'node:events'
import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import express from 'express'
import { listen, type HttpServer } from '#services/http/listen'
import { until } from '../../support/machine/until.ts'

/* Clients that send many requests on one connection and read no answer. */

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pipelined-'))
  await writeFile(join(folder, 'large.js'), 'x'.repeat(4 * 1_024 * 1_024))
})
afterAll(() => rm(folder, { recursive: true }))

let server: HttpServer
const sockets: Socket[] = []
beforeEach(async () => {
  server = await listen(0, '127.0.0.1')
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server.close(0)
})

/** A client that reads nothing until the test resumes it. */
async function silent(text: string, port = server.port): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').pause()
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

/** The files of the folder that this process has open. */
async function openFiles(): Promise<number> {
  const names = await readdir('/proc/self/fd')
  const targets = await Promise.all(
    names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')),
  )
  return targets.filter((target) => target.startsWith(folder)).length
}

describe('a client that pipelines requests and reads nothing', () => {
  it('opens one file of a thousand, and none after it has gone', async () => {
    await server.serve(express().use(express.static(folder)))
    const socket = await silent(get('/large.js').repeat(1_000))
    await until(async () => (await openFiles()) > 0)
    // The others of the packet would have opened theirs by now.
    await sleep(200)
    expect(await openFiles()).toBe(1)
    socket.destroy()
    await until(async () => (await openFiles()) === 0)
  })

  it('has one request in progress', async () => {
    const handled: string[] = []
    await server.serve((request) => void handled.push(request.url ?? ''))
    await silent([1, 2, 3, 4].map((n) => get(`/${n}`)).join(''))
    await until(() => handled.length > 0)
    await sleep(100)
    expect(handled).toEqual(['/1'])
  })

  it('ends its request in progress when it goes, and no other begins', async () => {
    const begun: ServerResponse[] = []
    let closed = 0
    await server.serve((_request: IncomingMessage, response: ServerResponse) => {
      begun.push(response)
      response.once('close', () => (closed += 1))
      // More than the buffers of the system take.
      response.write('x'.repeat(32 * 1_024 * 1_024))
    })
    const socket = await silent(get('/').repeat(20))
    await until(() => begun.length === 1)
    socket.destroy()
    await until(() => closed === 1)
    await sleep(100)
    expect(begun).toHaveLength(1)
  })

  it('is not read from while its requests wait', async () => {
    await server.serve((_request, response) => void response.end('x'.repeat(32 * 1_024 * 1_024)))
    const socket = await silent(get('/').repeat(3))
    await until(() => socket.writableLength === 0)
    // More than the buffers of the system take.
    for (let sent = 0; sent < 4_000; sent += 1) socket.write(get(`/${'y'.repeat(8_000)}`))
    await sleep(300)
    expect(socket.writableLength).toBeGreaterThan(0)
  })

  it('is disconnected after the longest stall, although it sends further requests', async () => {
    const strict = await listen(0, '127.0.0.1', 'PORT', 500)
    try {
      await strict.serve((_request, response) => void response.end('x'.repeat(32 * 1_024 * 1_024)))
      const socket = await silent(get('/').repeat(2), strict.port)
      const sending = setInterval(() => socket.write(get('/')), 50)
      // A write after the end of the connection reports it.
      await new Promise((resolve) => socket.once('close', resolve))
      clearInterval(sending)
    } finally {
      await strict.close(0)
    }
  })
})

describe('a client that pipelines requests and reads the answers', () => {
  it('gets up to 33 answers in order, and then the end of the connection', async () => {
    await server.serve((request, response) => void response.end(`answer ${request.url}.`))
    const socket = await silent(Array.from({ length: 1_000 }, (_, n) => get(`/${n}`)).join(''))
    let text = ''
    socket.on('data', (part) => (text += String(part)))
    socket.resume()
    await once(socket, 'close')
    const answers = [...text.matchAll(/answer \/(\d+)\./g)].map(([, n]) => Number(n))
    expect(answers.length).toBeGreaterThanOrEqual(33)
    expect(answers).toEqual(answers.map((_, n) => n))
    expect(text.match(/Connection: close/g)).toHaveLength(1)
  })

  it('gets every answer to a few requests with bodies, and keeps the connection', async () => {
    await server.serve(
      express()
        .use(express.text())
        .use((request, response) => void response.send(`length ${String(request.body).length}.`)),
    )
    const post = (body: string) =>
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const socket = await silent(post('a') + post('b'.repeat(80_000)) + post('ccc'))
    let text = ''
    socket.on('data', (part) => (text += String(part)))
    socket.resume()
    await until(() => text.includes('length 3.'))
    expect(text.match(/length \d+\./g)).toEqual(['length 1.', 'length 80000.', 'length 3.'])
    socket.write(post('dddd'))
    await until(() => text.includes('length 4.'))
  })
})
