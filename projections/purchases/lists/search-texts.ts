import { searchText } from '#projections/listing/search-text'
import { DamagedHistory } from '#services/foundation/damaged-history'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { customerRow, type CustomerRow } from '../rows.ts'

/** What a search finds of a customer. Everything else that it finds is in the class of a row. */
export interface SearchTexts {
  /** For payments and refunds. */
  readonly emails: string
  /** For active plans. */
  readonly emailsAndCompany: string
}

export function searchTextsOf(customer: CustomerRow): SearchTexts {
  const emails = [customer.email, customer.secondary_email]
  return {
    emails: searchText(emails),
    emailsAndCompany: searchText([...emails, customer.company_name]),
  }
}

/**
 * The search texts of these users, for new rows.
 * @throws Error for a user without AccountOpened: the lists cannot show a row without its customer
 */
export async function loadSearchTexts(
  tx: Queryable,
  schema: string,
  userIds: Iterable<string>,
): Promise<(userId: string) => SearchTexts> {
  const ids = [...new Set(userIds)]
  const rows =
    ids.length === 0
      ? []
      : await allRows(
          tx,
          customerRow,
          `SELECT * FROM ${schema}.customer WHERE user_id = ANY ($1)`,
          [ids],
        )
  const texts = new Map(rows.map((row) => [row.user_id, searchTextsOf(row)]))
  return (userId) => {
    const known = texts.get(userId)
    if (known === undefined)
      throw new DamagedHistory(
        `User ${userId} has no AccountOpened before this event. Run 'billing events verify'.`,
      )
    return known
  }
}

/** Writes the search texts of changed customers into all their rows. */
export async function updateSearchTexts(
  tx: Queryable,
  schema: string,
  customers: readonly CustomerRow[],
): Promise<void> {
  if (customers.length === 0) return
  const texts = customers.map(searchTextsOf)
  const ids = customers.map(({ user_id }) => user_id)
  const update = (table: string, values: readonly string[]) =>
    tx.query(
      `UPDATE ${schema}.${table} AS row SET search_text = changed.search_text
       FROM unnest($1::text[], $2::text[]) AS changed (user_id, search_text)
       WHERE row.user_id = changed.user_id AND row.search_text <> changed.search_text`,
      [ids, values],
    )
  const emails = texts.map((each) => each.emails)
  await update('payment', emails)
  await update('refund', emails)
  await update(
    'subscription',
    texts.map((each) => each.emailsAndCompany),
  )
}
