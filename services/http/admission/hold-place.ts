import type { ServerResponse } from 'node:http'
import type { Leave } from '#services/foundation/work-gate'

/**
 * Calls `leave` when the whole answer was handed over, or the client has disconnected. What is left
 * is to send the answer: a client that does not read it would hold the place. A stream that stays
 * open leaves with its head.
 */
export function holdPlace(response: ServerResponse, opensStream: boolean, leave: Leave): void {
  response.once('close', leave)
  const { end, writeHead } = response
  // Also while an earlier answer of the connection is sent, when nothing reports the end.
  response.end = (...given: unknown[]) => {
    leave()
    return Reflect.apply(end, response, given) as ServerResponse
  }
  if (!opensStream) return
  response.writeHead = (...given: unknown[]) => {
    leave()
    return Reflect.apply(writeHead, response, given) as ServerResponse
  }
}
