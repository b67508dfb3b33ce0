import type { IncomingMessage, ServerResponse } from 'node:http'

/** In bytes. Twice the largest webhook, so that a client that sends too much finds why. */
const maxUnread = 512 * 1_024

/**
 * Discards what no handler has read of the body after the answer, so that the client receives the
 * answer and can use its connection again. Beyond `maxUnread` the client is disconnected. Node.js
 * would discard a body of any length, as fast as it arrives.
 */
export function discardUnread(request: IncomingMessage, response: ServerResponse): void {
  // Before Node.js's own listener, which discards a body that was never read.
  response.prependOnceListener('finish', () => {
    if (request.readableEnded) return
    let left = maxUnread
    request.on('data', (part: Buffer) => {
      left -= part.length
      if (left < 0) request.socket.destroy()
    })
    // Begins to read, so that Node.js leaves the body to this listener.
    request.read(0)
  })
}
