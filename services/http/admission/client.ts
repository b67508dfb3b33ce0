import type { IncomingMessage } from 'node:http'
import { networkOfRequest } from '../client-network.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Parties } from './fair-gate.ts'
import type { Refused } from './known-refusals.ts'

/** Who sends a request, as far as it is known before the database is asked. */
export interface Client {
  readonly network: string
  /** The ids of the sessions that this product has given to the client. Most clients have one. */
  readonly sessions: readonly string[]
}

export type ClientOf = (request: IncomingMessage) => Client

export function createClientOf(trustProxy: boolean, sessions: Pick<Sessions, 'idsIn'>): ClientOf {
  return (request) => ({
    network: networkOfRequest(request, trustProxy) ?? 'unknown',
    sessions: sessions.idsIn(request.headers.cookie),
  })
}

/** Visitors without a session are one party of their network. */
export function partiesOf({ network, sessions }: Client): Parties {
  const callers =
    sessions.length > 0 ? sessions.map((id) => `session ${id}`) : [`visitors ${network}`]
  return [`network ${network}`, ...callers]
}

/** Null if the refusal concerns no session, and the client has one. */
export function refusedKey({ network, sessions }: Client, refused: Refused): string | null {
  switch (refused) {
    case 'network':
      return `network ${network}`
    case 'visitors of the network':
      return sessions.length === 0 ? `visitors ${network}` : null
    case 'session':
      return sessions.length > 0 ? `session ${sessions.join(' ')}` : null
    default:
      return refused satisfies never
  }
}

export const allRefused: readonly Refused[] = ['network', 'visitors of the network', 'session']
