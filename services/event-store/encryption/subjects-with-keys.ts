import { z } from 'zod'
import type { AddressHmac, UserId } from '#contracts/ids'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { clientSubjects, enquirySubjects } from '#services/foundation/stream-names'
import { orUnavailable } from '../database-unavailable.ts'

const subjectRow = z.object({ subject: z.string() })

/** As `PersonalKeys` describes it. */
export async function enquiriesWith(
  pool: Queryable,
  addresses: readonly AddressHmac[],
): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const address of addresses) {
    const rows = await orUnavailable(() =>
      allRows(
        pool,
        subjectRow,
        `SELECT subject FROM app.personal_key WHERE starts_with(subject, $1)
         UNION SELECT subject FROM app.enquiry_address WHERE address_hmac = $2`,
        [enquirySubjects(address), address],
      ),
    )
    for (const { subject } of rows) found.add(subject)
  }
  return [...found].sort()
}

/** As `PersonalKeys` describes it. */
export async function clientsWith(pool: Queryable, merchantId: UserId): Promise<readonly string[]> {
  const rows = await orUnavailable(() =>
    allRows(
      pool,
      subjectRow,
      'SELECT subject FROM app.personal_key WHERE starts_with(subject, $1) ORDER BY subject',
      [clientSubjects(merchantId)],
    ),
  )
  return rows.map(({ subject }) => subject)
}
