import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { listen, type HttpServer } from '#services/http/listen'

let server: HttpServer
/** One keep-alive connection, as a proxy holds it. */
let connection: Agent
beforeEach(async () => {
  server = await listen(0, '127.0.0.1')
  connection = new Agent({ keepAlive: true, maxSockets: 1 })
})
afterEach(async () => {
  connection.destroy()
  await server.close(0)
})

async function send(
  path: string,
  agent: Agent | false = connection,
): Promise<{ status: number | undefined; closes: boolean; body: string }> {
  const sent = request({ port: server.port, path, agent: agent || new Agent() }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return {
    status: response.statusCode,
    closes: response.headers.connection === 'close',
    body: await text(response),
  }
}

describe('an HTTP server that closes', () => {
  it('answers a request that arrives on a keep-alive connection, and ends the connection with the answer', async () => {
    server.serve((_request, response) => response.end('served'))
    expect(await send('/before')).toEqual({ status: 200, closes: false, body: 'served' })

    const closed = server.close(10_000)
    expect(await send('/while-closing')).toEqual({ status: 200, closes: true, body: 'served' })
    await closed
  })

  it('refuses new connections', async () => {
    server.serve((_request, response) => response.end('served'))
    await send('/before')
    const closed = server.close(10_000)
    await expect(send('/new', false)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await closed
  })

  it('finishes the request in progress and ends its connection', async () => {
    let begin: () => void
    let finish: () => void = () => undefined
    server.serve((_request, response) => {
      finish = () => response.end('finished')
      begin()
    })
    const arrived = new Promise<void>((resolve) => (begin = resolve))
    const answer = send('/slow')
    await arrived
    const closed = server.close(10_000).then(() => 'closed')
    finish()
    expect(await answer).toEqual({ status: 200, closes: true, body: 'finished' })
    expect(await closed).toBe('closed')
  })

  it('aborts a request that lasts longer than the grace period', async () => {
    const arrived = new Promise<void>((resolve) => server.serve(() => resolve()))
    const answer = send('/endless').then(
      () => 'answered',
      (error: NodeJS.ErrnoException) => error.code,
    )
    await arrived
    await server.close(0)
    expect(await answer).toBe('ECONNRESET')
  })

  it('closes although a browser has an open connection without a request', async () => {
    const socket = new Agent({ keepAlive: true }).createConnection(
      { port: server.port, host: '127.0.0.1' },
      () => undefined,
    )
    if (!socket) throw new Error('The agent opened no connection.')
    await once(socket, 'connect')
    const ended = once(socket, 'close')
    socket.resume()
    await server.close(10_000)
    await ended
  })
})
