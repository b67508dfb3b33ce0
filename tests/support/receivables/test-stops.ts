import { stopKeyOf } from '#services/event-store/audit/audit-keys'
import { createContactStops, type ContactStops } from '#services/receivables/stops/contact-stops'

/** The stops of a log, under the key of an AUDIT_KEY for tests. */
export function testStops(
  parts: Pick<Parameters<typeof createContactStops>[0], 'commands' | 'clock'>,
): ContactStops {
  return createContactStops({ ...parts, key: stopKeyOf(Buffer.alloc(32, 9)) })
}
