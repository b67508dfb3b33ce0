import type { ClientId, UserId } from '#contracts/ids'
import { addDays, type Day } from '#services/finance/calendar'
import type { Brands } from '../brand/brands.ts'
import type { Logos } from '../brand/logos.ts'
import { messageSender } from '../brand/message-sender.ts'
import { shownText } from '../client-card.ts'
import type { AddedClient } from '../client-state.ts'
import type { Merchant } from '../merchant-access.ts'
import type { ReceivablesQueries } from '../receivables-queries.ts'
import type { StatementFile } from './statement-files.ts'

/** Without another first day, the file of a statement begins this many days before its end. */
const daysOfFile = 365

export interface StatementSources {
  readonly queries: Pick<ReceivablesQueries, 'statementParts'>
  readonly brands: Pick<Brands, 'settingsOf'>
  readonly logos: Pick<Logos, 'read'>
}

/** The statement of a client as its file shows it: with the merchant as its clients know it. */
export async function statementFileOf(
  { queries, brands, logos }: StatementSources,
  {
    merchantId,
    merchant,
    clientId,
    client,
    asOf,
    from = addDays(asOf, -daysOfFile),
  }: {
    readonly merchantId: UserId
    readonly merchant: Merchant
    readonly clientId: ClientId
    readonly client: AddedClient
    readonly asOf: Day
    readonly from?: Day
  },
): Promise<StatementFile> {
  const [parts, of] = await Promise.all([
    queries.statementParts(merchantId, clientId, { from, asOf }),
    partiesOf({ brands, logos }, { merchantId, merchant, client }),
  ])
  return { from, asOf, parts, ...of }
}

/** Merchant and client as a file for the client shows them. */
export async function partiesOf(
  { brands, logos }: Pick<StatementSources, 'brands' | 'logos'>,
  {
    merchantId,
    merchant,
    client,
  }: { readonly merchantId: UserId; readonly merchant: Merchant; readonly client: AddedClient },
): Promise<Pick<StatementFile, 'merchant' | 'client'>> {
  const { brand } = await brands.settingsOf(merchantId)
  const { name, address, replyTo } = messageSender(brand, merchant, '')
  const logo = brand.logo === null ? null : await logos.read(brand.logo.sha256)
  return {
    merchant: {
      name,
      address,
      email: replyTo === '' ? null : replyTo,
      phone: merchant.phone,
      logo:
        brand.logo === null || logo === null
          ? null
          : { content: logo.content, width: brand.logo.width, height: brand.logo.height },
    },
    client: {
      name: shownText(client.details.name),
      number: client.isErased ? null : client.details.number,
    },
  }
}
