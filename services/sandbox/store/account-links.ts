import type { PoolClient } from 'pg'
import { z } from 'zod'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { firstRow } from '#services/foundation/rows'
import { randomText } from './ids.ts'

/** Seconds. Stripe's links live "a few minutes". */
export const linkLasts = 300

export interface AccountLink {
  readonly account: string
  /** Where a link leads that was used or has expired. */
  readonly refreshUrl: string
  readonly returnUrl: string
  /** The sandbox's clock, in seconds. */
  readonly expiresAt: number
}

const linkRow = z.object({
  account: z.string(),
  refresh_url: z.string(),
  return_url: z.string(),
  expires_at: integerColumn,
  visit: z.string().nullable(),
})
const columns = 'account, refresh_url, return_url, expires_at, visit'

function linkOf(row: z.infer<typeof linkRow>): AccountLink {
  return {
    account: row.account,
    refreshUrl: row.refresh_url,
    returnUrl: row.return_url,
    expiresAt: row.expires_at,
  }
}

/** Saves a link to the onboarding page and returns its token. */
export async function addAccountLink(client: PoolClient, link: AccountLink): Promise<string> {
  const token = randomText(24)
  await client.query(
    `INSERT INTO sandbox.account_link (token, account, refresh_url, return_url, expires_at)
     VALUES ($1, $2, $3, $4, $5)`,
    [token, link.account, link.refreshUrl, link.returnUrl, link.expiresAt],
  )
  return token
}

/**
 * The first visit of a link within its time gets an address of its own, so that the page can be
 * loaded again. `visit` is null for a later visit. Null if no link has this token.
 */
export async function useAccountLink(
  client: PoolClient,
  token: string,
  now: number,
): Promise<{ readonly link: AccountLink; readonly visit: string | null } | null> {
  const row = await firstRow(
    client,
    linkRow,
    `SELECT ${columns} FROM sandbox.account_link WHERE token = $1`,
    [token],
  )
  if (row === undefined) return null
  const link = linkOf(row)
  if (row.visit !== null || link.expiresAt <= now) return { link, visit: null }
  const visit = randomText(24)
  await client.query('UPDATE sandbox.account_link SET visit = $2 WHERE token = $1', [token, visit])
  return { link, visit }
}

/** The link of an open onboarding page, or null. */
export async function visitedLink(client: Queryable, visit: string): Promise<AccountLink | null> {
  const row = await firstRow(
    client,
    linkRow,
    `SELECT ${columns} FROM sandbox.account_link WHERE visit = $1`,
    [visit],
  )
  return row === undefined ? null : linkOf(row)
}
