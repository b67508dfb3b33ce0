import { z } from 'zod'
import { parseUserId, type UserId } from '#contracts/ids'
import type { PaymentsResponse } from '#contracts/purchases'
import { DamagedHistory } from '#services/foundation/damaged-history'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow } from '#services/foundation/rows'
import { customerRow, type CustomerRow } from '../rows.ts'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { schema } from './schema.ts'

const addressesRow = z.object({ email: z.string(), secondary_email: z.string().nullable() })
const owner = z.object({ user_id: z.string().transform(parseUserId) })

export async function customerOf(db: Queryable, userId: string): Promise<CustomerRow | null> {
  const row = await firstRow(
    db,
    customerRow,
    `SELECT * FROM ${schema}.customer WHERE user_id = $1`,
    [userId],
  )
  return row ?? null
}

/** The customers of these rows. @throws Error if the read model does not have a customer */
export async function customersOf(
  db: Queryable,
  rows: readonly { readonly user_id: string }[],
): Promise<(row: { readonly user_id: string }) => CustomerRow> {
  const customers = await allRows(
    db,
    customerRow,
    `SELECT * FROM ${schema}.customer WHERE user_id = ANY ($1)`,
    [[...new Set(rows.map(({ user_id }) => user_id))]],
  )
  const byId = new Map(customers.map((customer) => [customer.user_id, customer]))
  return ({ user_id }) => {
    const customer = byId.get(user_id)
    if (customer === undefined)
      throw new DamagedHistory(`User ${user_id} has no AccountOpened. Run 'billing events verify'.`)
    return customer
  }
}

/** The account's addresses. Empty if the read model does not have the account yet. */
export async function emailsOf(db: Queryable, userId: string): Promise<readonly string[]> {
  const customer = await customerOf(db, userId)
  if (customer === null) return []
  const { email, secondary_email: secondary } = customer
  return secondary === null ? [email] : [email, secondary]
}

/** The addresses of blocked customers among these. An erased address names no customer. */
export async function blockedAmong(
  db: Queryable,
  emails: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await allRows(
    db,
    addressesRow,
    `SELECT email, secondary_email FROM ${schema}.customer
     WHERE blocked AND (email = ANY ($1) OR secondary_email = ANY ($1))`,
    [emails.filter((email) => email !== erasedValue)],
  )
  return new Set(rows.flatMap(({ email, secondary_email }) => [email, secondary_email ?? email]))
}

/** The account that has the address as its primary or secondary address. */
export async function userOfEmail(db: Queryable, email: string): Promise<UserId | null> {
  const row = await firstRow(
    db,
    owner,
    `SELECT user_id FROM ${schema}.customer WHERE email = $1 OR secondary_email = $1`,
    [email],
  )
  return row?.user_id ?? null
}

export function toUserInfo(row: CustomerRow): PaymentsResponse['userInfo'] {
  return {
    user_id: row.user_id,
    full_name: row.full_name,
    email: row.email,
    secondary_email: row.secondary_email,
    is_primary_email_active: row.is_primary_email_active,
  }
}

/** Null until the company profile is completed. */
export function toCompanyInfo(row: CustomerRow): PaymentsResponse['companyInfo'] {
  if (row.company_name === null) return null
  return {
    name: row.company_name,
    domain: row.domain ?? '',
    website_url: row.website_url,
    address: row.address ?? '',
    city: row.city,
    state: row.state ?? '',
    zipcode: row.zipcode ?? '',
    support_email: row.support_email ?? '',
    support_phone: row.support_phone ?? '',
  }
}
