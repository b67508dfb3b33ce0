import { macKeyOf } from '#services/event-store/audit/audit-keys'
import { proofByMac, withoutProof, type EventProof } from '#services/event-store/audit/event-proof'
import type { Config } from '#services/settings/config'

/** What reports take for a genuine event: one with the MAC of AUDIT_KEY, or any event. */
export function eventProofOf({
  auditKey,
  acceptsUnprovenEvents,
}: Pick<Config, 'auditKey' | 'acceptsUnprovenEvents'>): EventProof {
  return acceptsUnprovenEvents ? withoutProof : proofByMac(macKeyOf(auditKey))
}
