import type { Logger } from 'pino'
import type { Money } from '#contracts/money'
import type { Administrators } from '#services/administrators/administrators'
import { personsWhoRefund } from '#services/billing/approvals/refund-approvals'

/**
 * Above the limit no refund is possible while fewer than two persons may refund.
 * @throws EventStoreUnavailable
 */
export async function warnWithoutSecondPerson(
  limit: Money | null,
  administrators: Pick<Administrators, 'load'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  if (limit === null) return
  const persons = personsWhoRefund(await administrators.load())
  if (persons >= 2) return
  log.warn(
    { above: limit.amount, currency: limit.currency, persons },
    "SECOND_PERSON_REFUND_ABOVE is set, and fewer than two named administrators may refund: refunds above the amount are refused. Add administrators with the role owner or finance: 'npm run billing -- admins add'.",
  )
}
