import { stopKeyOf } from '#services/event-store/audit/audit-keys'
import { createContactStops, type ContactStops } from '#services/receivables/stops/contact-stops'

type Parts = Parameters<typeof createContactStops>[0]

/** The stops of a log, under the key of an AUDIT_KEY for tests. */
export function testStops(
  parts: Pick<Parts, 'commands' | 'clock'> & Partial<Pick<Parts, 'stoppedAmong'>>,
): ContactStops {
  return createContactStops({
    stoppedAmong: () => Promise.resolve(new Map()),
    ...parts,
    key: stopKeyOf(Buffer.alloc(32, 9)),
  })
}
