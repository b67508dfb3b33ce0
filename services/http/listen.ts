import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { StartupError } from '../startup-error.ts'

export interface HttpServer {
  /** The port listened on, also when 0 was asked for. */
  readonly port: number
  /** From now on requests go here. */
  serve(listener: RequestListener): void
  /** Takes no new connections, lets requests under way finish for `graceMs`, then cuts them. */
  close(graceMs: number): Promise<void>
}

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
  const server = createServer((request, response) => current(request, response))
  const connections = trackConnections(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, port, host, setting)))
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
  /** Cuts those that wait for a request, and each other one when its answer is out. */
  cutWhenIdle(): void
}

/** Node's own `closeIdleConnections` leaves those alone that a browser opened ahead and sent nothing on yet. */
function trackConnections(server: Server): Connections {
  const busy = new Map<Socket, number>()
  let isClosing = false
  server.on('connection', (socket) => {
    busy.set(socket, 0)
    socket.once('close', () => busy.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    busy.set(socket, (busy.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = (busy.get(socket) ?? 1) - 1
      if (!busy.has(socket)) return
      busy.set(socket, left)
      if (isClosing && left === 0) socket.end()
    })
  })
  return {
    cutWhenIdle() {
      isClosing = true
      for (const [socket, requests] of busy) if (requests === 0) socket.destroy()
    },
  }
}

async function closed(server: Server, connections: Connections, graceMs: number): Promise<void> {
  const done = new Promise<void>((resolve) => server.close(() => resolve()))
  connections.cutWhenIdle()
  const cutOff = setTimeout(() => server.closeAllConnections(), graceMs)
  await done
  clearTimeout(cutOff)
}

function explained(error: NodeJS.ErrnoException, port: number, host: string, setting: string): Error {
  switch (error.code ?? '') {
    case 'EADDRINUSE':
      return new StartupError(`Port ${port} is already in use. Stop the program that uses it, or set ${setting} to another one.`)
    case 'EACCES':
      return new StartupError(`Port ${port} may not be used by this user. Set ${setting} to one above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartupError(`HOST ${host} is no address of this machine. Set HOST to one that is, or leave it away.`)
    default:
      return error
  }
}
