import type { ClientAct as RequestedAct } from '#contracts/receivables/client-requests'
import { unreachable } from '#services/foundation/decider'
import { dayOf } from './day-of.ts'
import type { ClientAct } from './follow-up.ts'
import { partIdOf } from './receivable-id.ts'

/** The command of an act of the API. An erasure has a name to compare, and steps of its own. */
export function clientActOf(
  act: Exclude<RequestedAct, { readonly type: 'erase' }>,
  commandId: string,
): ClientAct {
  switch (act.type) {
    case 'change': {
      const { type: _type, version, ...details } = act
      return { type: 'change-client', details, basedOn: version }
    }
    case 'record-text-consent':
      return { type: 'record-text-consent', source: act.source, date: dayOf(act.date) }
    case 'withdraw-text-consent':
      return { type: 'withdraw-text-consent' }
    case 'hold':
      return {
        type: 'hold-client',
        reason: act.reason,
        until: act.until === null ? null : dayOf(act.until),
      }
    case 'revoke-portal-link':
      return { type: 'revoke-portal-link', generation: act.generation }
    case 'release':
      return { type: 'release-client' }
    case 'return-credit':
      return {
        type: 'return-credit',
        creditId: act.creditId,
        returnId: partIdOf('return', commandId),
        amount: act.amount,
        date: dayOf(act.date),
        method: act.method,
        note: act.note,
      }
    default:
      return unreachable(act)
  }
}
