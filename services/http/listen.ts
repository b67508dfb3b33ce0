import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { StartupError } from '#services/foundation/startup-error'

export interface HttpServer {
  /** The port listened on, also when 0 was asked for. */
  readonly port: number
  /** From now on requests go here. */
  serve(listener: RequestListener): void
  /** Refuses new connections, answers what arrives on the open ones, and cuts what is left after `graceMs`. */
  close(graceMs: number): Promise<void>
}

/**
 * An idle connection is kept longer than the usual proxy keeps it (Caddy here 30 s, nginx and load balancers 60 s). Otherwise
 * the server may end a connection at the moment in which the proxy sends a request on it.
 */
const keepAliveMs = 75_000

/** While the server closes, a connection on which no request arrives for this long is ended. */
const idleWhileClosingMs = 500

/** Until there is something to serve, a request is told to come back. */
const starting: RequestListener = (_request, response) => {
  response.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '1' })
  response.end(JSON.stringify({ error: 'The service is starting. Try again in a moment.' }))
}

/**
 * Takes the port before anything else is started, so that a taken one costs nothing. `setting` is
 * where the port came from.
 * @throws StartupError
 */
export async function listen(port: number, host: string, setting = 'PORT'): Promise<HttpServer> {
  let current = starting
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) =>
    current(request, response),
  )
  const connections = trackConnections(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(explained(error, port, host, setting)),
    )
    server.listen(port, host, resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    serve(listener) {
      current = listener
    },
    close: (graceMs) => closed(server, connections, graceMs),
  }
}

interface Connections {
  /** From now on each connection ends with its next answer, or after `idleWhileClosingMs` without a request. */
  endEach(): void
}

function trackConnections(server: Server): Connections {
  const open = new Map<Socket, Set<ServerResponse>>()
  let isClosing = false

  function endWhenIdle(socket: Socket): void {
    setTimeout(() => {
      if (open.get(socket)?.size === 0) socket.end()
    }, idleWhileClosingMs).unref()
  }

  server.on('connection', (socket) => {
    open.set(socket, new Set())
    socket.once('close', () => open.delete(socket))
  })
  // Before the listener that answers: this one must see the response without headers.
  server.prependListener('request', ({ socket }, response) => {
    const responses = open.get(socket)
    responses?.add(response)
    if (isClosing) response.shouldKeepAlive = false
    response.once('close', () => {
      responses?.delete(response)
      // This response had told the client, before the server closed, that the connection stays open.
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

async function closed(server: Server, connections: Connections, graceMs: number): Promise<void> {
  // Not the HTTP server's own `close`: it destroys idle connections at once, and a proxy may be sending a request on one of them.
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
  switch (error.code ?? '') {
    case 'EADDRINUSE':
      return new StartupError(
        `Port ${port} is already in use. Stop the program that uses it, or set ${setting} to another one.`,
      )
    case 'EACCES':
      return new StartupError(
        `Port ${port} may not be used by this user. Set ${setting} to one above 1023.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartupError(
        `HOST ${host} is no address of this machine. Set HOST to one that is, or leave it away.`,
      )
    default:
      return error
  }
}
