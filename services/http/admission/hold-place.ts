import type { ServerResponse } from 'node:http'
import type { Leave } from '#services/foundation/work-gate'

const held = new WeakMap<ServerResponse, Leave>()

/**
 * Calls `leave` when the whole answer was handed over, or the client has disconnected. What is left
 * is to send the answer: a client that does not read it would hold the place. A stream that stays
 * open leaves with its head.
 */
export function holdPlace(response: ServerResponse, opensStream: boolean, leave: Leave): void {
  held.set(response, leave)
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

/**
 * Gives the place of a request back before its answer is sent. For an answer that is made and only
 * waits: a place that waits would keep other requests out.
 */
export function leavePlace(response: ServerResponse): void {
  held.get(response)?.()
}
