import type { IncomingMessage } from 'node:http'

/**
 * Calls `arrived` when the body is complete, or is larger than `mostBytes`. At once if the request
 * has no body. Not if the client disconnects before. The body stays in the request for its handler.
 *
 * After it Node.js does not discard a body that no handler reads: call `request.resume()` if no
 * handler follows.
 */
export function whenBodyArrived(
  request: IncomingMessage,
  mostBytes: number,
  arrived: () => void,
): void {
  if (!hasBody(request)) return arrived()
  const parts: Buffer[] = []
  let bytes = 0
  const onReadable = () => {
    // The stream takes more only after a read.
    while (!request.complete && bytes <= mostBytes) {
      const part = request.read() as Buffer | null
      if (part === null) return
      parts.push(part)
      bytes += part.length
    }
    request.off('readable', onReadable)
    if (bytes > 0) request.unshift(Buffer.concat(parts))
    arrived()
  }
  request.on('readable', onReadable)
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
