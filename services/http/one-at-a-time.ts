import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The most requests that wait on one connection. No browser sends a request before the answer to
 * its earlier one (pipelining), and proxies do not either.
 */
const maxWaiting = 32

interface Turn {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Connection {
  /** In order of arrival. */
  readonly waiting: Turn[]
  isEnding: boolean
}

/**
 * Handles one request of each connection at a time, in order of arrival. Node.js would handle a
 * thousand requests of one packet at once, although their answers wait for each other, and a
 * response that has no socket yet never reports that the connection has closed: what its handler
 * holds, such as an open file, would stay until the process ends.
 *
 * While requests wait, the server reads nothing more from the connection. If more than
 * `maxWaiting` arrived before, the last of them ends the connection with its answer, and the
 * others are dropped: the client repeats them on another connection (RFC 9112, 9.3.2).
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, Connection>()

  function handle(connection: Connection, { request, response }: Turn): void {
    response.once('close', () => next(connection, request.socket))
    listener(request as Parameters<RequestListener>[0], response as Parameters<RequestListener>[1])
  }

  function next(connection: Connection, socket: Socket): void {
    const turn = connection.waiting.shift()
    // A response without the socket follows an answer that ended the connection.
    if (turn === undefined || socket.destroyed || turn.response.socket === null) {
      connection.waiting.length = 0
      connections.delete(socket)
      return
    }
    if (connection.waiting.length === 0 && !connection.isEnding) socket.resume()
    handle(connection, turn)
  }

  return (request, response) => {
    const { socket } = request
    // The rest of a packet whose beginning closed the connection.
    if (socket.destroyed) return
    const connection = connections.get(socket)
    if (connection === undefined) {
      const first: Connection = { waiting: [], isEnding: false }
      connections.set(socket, first)
      handle(first, { request, response })
      return
    }
    socket.pause()
    if (connection.isEnding) return
    connection.waiting.push({ request, response })
    if (connection.waiting.length < maxWaiting) return
    connection.isEnding = true
    response.shouldKeepAlive = false
  }
}
