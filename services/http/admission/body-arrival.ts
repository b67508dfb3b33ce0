import type { IncomingMessage } from 'node:http'

/** How the wait for a body ends. */
export type Arrival =
  /** The body is complete. It stays in the request for its handler. */
  | 'complete'
  /** The body is larger than the call allows. */
  | 'too large'
  /** All arriving bodies together have too many bytes, and this one is the oldest. */
  | 'too slow'

export interface BodyArrivals {
  /**
   * Calls `end` once: at once if the request has no body, and never if the client disconnects
   * before. Unless the body is complete, nothing more of it is read before the answer, so that a
   * client with a refused body waits. Node.js does not discard a body of which a part was read:
   * `unread-body.ts` does.
   */
  wait(request: IncomingMessage, maxBytes: number, end: (arrival: Arrival) => void): void
  /** The bytes of all bodies that are arriving. */
  bytes(): number
}

/**
 * Bodies that are arriving take memory, and a client decides how long they arrive. So all together
 * have at most `maxBytes`. Beyond it the oldest is given up, because a body of the product's
 * clients arrives within milliseconds, and one that a client holds back is the oldest.
 */
export function createBodyArrivals(maxBytes: number): BodyArrivals {
  /** In the order of their beginning. */
  const arriving = new Map<IncomingMessage, { bytes: number; readonly giveUp: () => void }>()
  let together = 0

  function wait(
    request: IncomingMessage,
    maxBytesOfBody: number,
    end: (arrival: Arrival) => void,
  ): void {
    if (!hasBody(request)) return end('complete')
    if (announcedBytes(request) > maxBytesOfBody) return end('too large')
    const parts: Buffer[] = []
    const own = { bytes: 0, giveUp: () => discard('too slow') }
    arriving.set(request, own)
    request.on('readable', onReadable)
    request.once('close', leave)

    function onReadable(): void {
      // The stream takes more only after a read.
      while (!request.complete && own.bytes <= maxBytesOfBody) {
        const part = request.read() as Buffer | null
        if (part === null) return keepWithinLimit()
        parts.push(part)
        own.bytes += part.length
        together += part.length
      }
      if (own.bytes > maxBytesOfBody) return discard('too large')
      leave()
      if (parts.length > 0) request.unshift(Buffer.concat(parts))
      end('complete')
    }

    function leave(): void {
      request.off('readable', onReadable)
      request.off('close', leave)
      if (arriving.delete(request)) together -= own.bytes
    }

    function discard(arrival: Arrival): void {
      leave()
      parts.length = 0
      end(arrival)
    }
  }

  function keepWithinLimit(): void {
    for (const { giveUp } of arriving.values()) {
      if (together <= maxBytes) return
      giveUp()
    }
  }

  return { wait, bytes: () => together }
}

/** The whole body of a request whose body is complete. It stays in the request for its handler. */
export function arrivedBody(request: IncomingMessage): Buffer {
  // A read of an empty stream would end it before its handler listens.
  if (request.readableLength === 0) return Buffer.alloc(0)
  const body = request.read() as Buffer
  request.unshift(body)
  return body
}

function hasBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || announcedBytes(request) > 0
}

function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0)
}
