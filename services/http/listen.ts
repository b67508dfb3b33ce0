import { createServer, type RequestListener, type Server } from 'node:http'
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
 * Takes the port before anything else is started, so that a taken one costs nothing.
 * @throws StartupError
 */
export async function listen(port: number, host: string): Promise<HttpServer> {
  let current = starting
  const server = createServer((request, response) => current(request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, port, host)))
    server.listen(port, host, resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    serve(listener) {
      current = listener
    },
    close: (graceMs) => closed(server, graceMs),
  }
}

async function closed(server: Server, graceMs: number): Promise<void> {
  const done = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const cutOff = setTimeout(() => server.closeAllConnections(), graceMs)
  await done
  clearTimeout(cutOff)
}

function explained(error: NodeJS.ErrnoException, port: number, host: string): Error {
  switch (error.code ?? '') {
    case 'EADDRINUSE':
      return new StartupError(`Port ${port} is already in use. Stop the program that uses it, or set PORT to another one.`)
    case 'EACCES':
      return new StartupError(`Port ${port} may not be used by this user. Set PORT to one above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartupError(`HOST ${host} is no address of this machine. Set HOST to one that is, or leave it away.`)
    default:
      return error
  }
}
