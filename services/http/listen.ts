import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { sleep } from '#services/foundation/sleep'
import { StartupError } from '#services/foundation/startup-error'
import { oneAtATime } from './one-at-a-time.ts'

export interface HttpServer {
  /** The port that the server listens on. If the requested port is 0, the system chooses it. */
  readonly port: number
  /**
   * `listener` handles all requests from now on.
   * @throws StartupError if the port opens only now, and the server cannot listen on it
   */
  serve(listener: RequestListener): Promise<void>
  /**
   * Refuses new connections, answers requests that arrive on open connections, and closes the rest
   * after `graceMs`.
   */
  close(graceMs: number): Promise<void>
}

/**
 * Longer than the idle timeout of common proxies (Caddy in this repository 30 s, nginx and load
 * balancers 60 s). Otherwise the server may close a connection at the moment at which the proxy
 * sends a request on it.
 */
const keepAliveMs = 75_000

/** A request must arrive within this time, with its body. Node.js answers 408 to a slower one. */
const requestMs = 60_000
const checkRequestsEveryMs = 2_000

/** A client that takes nothing of its answer for this time is disconnected. */
const stalledMs = 60_000

const serverOptions = {
  keepAliveTimeout: keepAliveMs,
  requestTimeout: requestMs,
  connectionsCheckingInterval: checkRequestsEveryMs,
}

/** While the server closes, it ends a connection on which no request arrives within this time. */
const idleWhileClosingMs = 500

/** The listener before `serve` is called: answers 503 with Retry-After. */
const starting: RequestListener = (_request, response) => {
  response.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '1' })
  response.end(JSON.stringify({ error: 'The service is starting. Try again in a moment.' }))
}

/**
 * Listens on the port before the product starts its other parts, so that a port in use stops the
 * start early. `setting` is the name of the port's setting.
 * @throws StartupError if the server cannot listen on the port
 */
export async function listen(
  port: number,
  host: string,
  setting = 'PORT',
  longestStallMs = stalledMs,
): Promise<HttpServer> {
  let current = starting
  const server = createServer(
    serverOptions,
    oneAtATime((request, response) => current(request, response)),
  )
  const connections = trackConnections(server, longestStallMs)
  return {
    port: await open(server, port, host, setting),
    async serve(listener) {
      current = listener
    },
    close: (graceMs) => closed(server, connections, graceMs),
  }
}

/**
 * Like `listen`, but refuses connections until `serve`, so that a proxy takes another process. The
 * port opens and closes at once, so that a port in use still stops the start early. A connection of
 * another program, or of this process to its database, may take the port between then and `serve`:
 * `serve` waits for it up to `waitMs`.
 * @throws StartupError if the server cannot listen on the port
 */
export async function listenWhenServed(
  port: number,
  host: string,
  waitMs = 10_000,
): Promise<HttpServer> {
  const probe = new NetServer((socket) => socket.destroy())
  const free = await open(probe, port, host, 'PORT')
  await new Promise((resolve) => probe.close(resolve))
  const server = createServer(serverOptions)
  const connections = trackConnections(server)
  let opening: Promise<unknown> | null = null
  let isClosing = false
  const openWithin = async (ms: number, attempt: () => Promise<number>) => {
    const deadline = performance.now() + ms
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        if (isClosing || !(error instanceof PortInUse) || performance.now() > deadline) throw error
        await sleep(200, new AbortController().signal)
      }
    }
  }
  return {
    port: free,
    async serve(listener) {
      if (isClosing) return
      server.on('request', oneAtATime(listener))
      opening = openWithin(waitMs, () => open(server, free, host, 'PORT'))
      await opening
    },
    async close(graceMs) {
      isClosing = true
      if (opening === null) return
      const isOpen = await opening.then(
        () => true,
        () => false,
      )
      if (isOpen) await closed(server, connections, graceMs)
    },
  }
}

class PortInUse extends StartupError {}

/** Returns the port, which the system chooses if `port` is 0. */
async function open(
  server: NetServer,
  port: number,
  host: string,
  setting: string,
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(explained(error, port, host, setting)),
    )
    server.listen(port, host, resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

interface Connections {
  /**
   * From now on the server ends each connection with its next answer, or after `idleWhileClosingMs`
   * without a request.
   */
  endEach(): void
}

function trackConnections(server: Server, longestStallMs = stalledMs): Connections {
  const open = new Map<Socket, Set<ServerResponse>>()
  let isClosing = false

  function endWhenIdle(socket: Socket): void {
    setTimeout(() => {
      if (open.get(socket)?.size === 0) socket.destroySoon()
    }, idleWhileClosingMs).unref()
  }

  server.on('connection', (socket) => {
    open.set(socket, new Set())
    socket.once('close', () => open.delete(socket))
  })
  server.timeout = longestStallMs
  // The time without traffic is over, that of a connection without a request as well. The server
  // may still compute the answer, or wait to send the next live update.
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0 || !open.get(socket)?.size) socket.destroy()
  })
  // Prepended, because this listener must run before the response has headers.
  server.prependListener('request', ({ socket }, response) => {
    const responses = open.get(socket)
    responses?.add(response)
    if (isClosing) response.shouldKeepAlive = false
    // Connections, metrics, admission, the trace, the call and the pipeline of an export listen for
    // the end of a response. Together they are more than the ten of Node's warning.
    response.setMaxListeners(20)
    response.once('close', () => {
      responses?.delete(response)
      // The headers of this response may have been sent before the closing began, with keep-alive.
      if (isClosing) endWhenIdle(socket)
    })
  })
  return {
    endEach() {
      isClosing = true
      for (const [socket, responses] of open) {
        if (responses.size === 0) endWhenIdle(socket)
        for (const response of responses) response.shouldKeepAlive = false
      }
    },
  }
}

/**
 * The HTTP server's `close` destroys idle connections at once, while a proxy may be sending a
 * request on one of them. The shutdown libraries `http-terminator` and `stoppable` also end idle
 * connections at once, so none of them is used.
 */
async function closed(server: Server, connections: Connections, graceMs: number): Promise<void> {
  const done = new Promise<void>((resolve) =>
    NetServer.prototype.close.call(server, () => resolve()),
  )
  connections.endEach()
  const cutOff = setTimeout(() => server.closeAllConnections(), graceMs)
  await done
  clearTimeout(cutOff)
}

function explained(
  error: NodeJS.ErrnoException,
  port: number,
  host: string,
  setting: string,
): Error {
  const hostSetting = setting.replace('PORT', 'HOST')
  switch (error.code ?? '') {
    case 'EADDRINUSE':
      return new PortInUse(
        `Port ${port} is already in use. Stop the program that uses it, or set ${setting} to another port.`,
      )
    case 'EACCES':
      return new StartupError(
        `This user may not listen on port ${port}. Set ${setting} to a port above 1023.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartupError(
        `${hostSetting} ${host} is not an address of this machine. Set ${hostSetting} to an address of this machine, or remove ${hostSetting}.`,
      )
    default:
      return error
  }
}
