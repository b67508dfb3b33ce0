import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { listen, listenWhenServed, type HttpServer } from '#services/http/listen'

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
    await server.serve((_request, response) => response.end('served'))
    expect(await send('/before')).toEqual({ status: 200, closes: false, body: 'served' })

    const closed = server.close(10_000)
    expect(await send('/while-closing')).toEqual({ status: 200, closes: true, body: 'served' })
    await closed
  })

  it('refuses new connections', async () => {
    await server.serve((_request, response) => response.end('served'))
    await send('/before')
    const closed = server.close(10_000)
    await expect(send('/new', false)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await closed
  })

  it('finishes the request in progress and ends its connection', async () => {
    let begin: () => void
    let finish: () => void = () => undefined
    await server.serve((_request, response) => {
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
    const arrived = new Promise<void>((resolve) => void server.serve(() => resolve()))
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

  it('closes although a client never closes its side of a connection, like an idle Chromium', async () => {
    await server.serve((_request, response) => response.end('served'))
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await once(socket, 'data')
    await server.close(60_000)
    socket.destroy()
  })
})

describe('a server on an address that is not of this machine', () => {
  it.each([
    ['PORT', 'HOST'],
    ['METRICS_PORT', 'METRICS_HOST'],
  ])('is refused, for %s with the name %s', async (setting, hostSetting) => {
    // An address for documentation: RFC 5737.
    await expect(listen(0, '192.0.2.1', setting)).rejects.toThrow(
      `${hostSetting} 192.0.2.1 is not an address of this machine. Set ${hostSetting} to`,
    )
  })
})

describe('a server behind a proxy', () => {
  const begun: HttpServer[] = []
  afterEach(() => Promise.all(begun.splice(0).map((each) => each.close(0))))

  async function begin(port = 0): Promise<HttpServer> {
    const behindProxy = await listenWhenServed(port, '127.0.0.1', 300)
    begun.push(behindProxy)
    return behindProxy
  }

  /** 'open', or the code of the refusal. */
  async function connection(port: number): Promise<string | undefined> {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return 'open'
    } catch (error) {
      return (error as NodeJS.ErrnoException).code
    } finally {
      socket.destroy()
    }
  }

  it('refuses connections until it can serve, and then answers the first request', async () => {
    const behindProxy = await begin()
    expect(await connection(behindProxy.port)).toBe('ECONNREFUSED')
    await behindProxy.serve((_request, response) => response.end('served'))
    const answer = await fetch(`http://127.0.0.1:${behindProxy.port}`)
    expect(await answer.text()).toBe('served')
  })

  it('is refused at once on a port in use', async () => {
    await expect(listenWhenServed(server.port, '127.0.0.1')).rejects.toThrow(
      `Port ${server.port} is already in use.`,
    )
  })

  it('fails with the same sentence if another program takes the port in between', async () => {
    const behindProxy = await begin()
    begun.push(await listen(behindProxy.port, '127.0.0.1'))
    await expect(behindProxy.serve(() => undefined)).rejects.toThrow(
      `Port ${behindProxy.port} is already in use.`,
    )
    await behindProxy.close(0)
  })

  it('waits for a port that another program takes in between and releases', async () => {
    const behindProxy = await listenWhenServed(0, '127.0.0.1', 60_000)
    begun.push(behindProxy)
    const other = await listen(behindProxy.port, '127.0.0.1')
    const serving = behindProxy.serve((_request, response) => void response.end())
    await other.close(0)
    await serving
    expect(await connection(behindProxy.port)).toBe('open')
  })

  it('never opens its port if it was closed before', async () => {
    const behindProxy = await begin()
    await behindProxy.close(0)
    await behindProxy.serve(() => undefined)
    expect(await connection(behindProxy.port)).toBe('ECONNREFUSED')
  })

  it('closes its port if it is closed while the port opens', async () => {
    const behindProxy = await begin()
    const served = behindProxy.serve(() => undefined)
    await behindProxy.close(0)
    await served
    expect(await connection(behindProxy.port)).toBe('ECONNREFUSED')
  })
})
