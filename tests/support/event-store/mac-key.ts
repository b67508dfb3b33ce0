import { macKeyOf } from '#services/event-store/audit/audit-keys'

/** AUDIT_KEY of tests. */
export const auditKey = Buffer.alloc(32, 'audit')

/** The key of the MACs of events that tests append. */
export const macKey = macKeyOf(auditKey)
