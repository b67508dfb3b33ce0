import type pg from 'pg'
import { brand } from '#contracts/brand/brand'
import type { ClientId } from '#contracts/ids'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import type { MerchantOf } from '#services/receivables/merchant-access'
import type { PortalTokens } from '#services/receivables/portal/portal-tokens'
import type { Receivables } from '#services/receivables/receivables-service'
import { inGroups } from '#services/foundation/in-groups'
import { owedBy } from '#services/receivables/sending/client-appointments'
import type { ComposeParts } from '#services/receivables/sending/compose-message'
import { createKnownClients, type KnownClients } from '#services/receivables/sending/known-clients'
import { createMerchantDays, type MerchantDays } from '#services/receivables/sending/merchant-days'
import type { TextNumber } from '#services/sms/text-number'
import type { ContactStops } from '#services/receivables/stops/contact-stops'

export interface SendingSideParts {
  readonly pool: pg.Pool
  readonly commands: CommandHandler
  readonly receivables: Receivables
  readonly merchantOf: MerchantOf
  readonly stops: ContactStops
  readonly tokens: PortalTokens
  readonly publicUrl: string
  /** The countries whose numbers get texts. Null: the product sends no texts. */
  readonly textCountries: ReadonlySet<string> | null
  /** The business clock. */
  readonly clock: Clock
}

/** What decides about messages to clients, and what they say. */
export interface SendingSide {
  readonly known: KnownClients
  readonly days: MerchantDays
  readonly compose: ComposeParts
  readonly numberOf: (phone: string) => Promise<string | null>
  /** What a number is for texts. Null: the product sends no texts. */
  readonly textNumberOf: ((phone: string) => Promise<TextNumber>) | null
}

export function createSendingSide({
  pool,
  commands,
  receivables,
  merchantOf,
  stops,
  tokens,
  publicUrl,
  textCountries,
  clock,
}: SendingSideParts): SendingSide {
  const days = createMerchantDays(pool)
  /** Loads libphonenumber's numbers of all countries with the first client that has a phone. */
  const textNumberOf =
    textCountries === null
      ? null
      : async (phone: string) => {
          const { textNumberOf: read } = await import('#services/sms/text-number')
          return read(phone, textCountries)
        }
  return {
    days,
    textNumberOf,
    known: createKnownClients({
      commands,
      merchantOf,
      timeZoneOf: async (merchantId) => (await receivables.calendarOf(merchantId)).timeZone,
      stops,
      owedBy: inGroups({
        answer: (clientIds: readonly ClientId[]) => owedBy(pool, clientIds),
        maxKeys: 100,
        atOnce: 2,
      }),
      countsOf: days.countsOf,
      clock,
      textNumberOf,
    }),
    compose: {
      publicUrl,
      brand,
      tokens,
      idOfMailbox: (merchantId, address) =>
        stops.idOfAddress(merchantId, { channel: 'mail', address }),
    },
    async numberOf(phone) {
      const number = await textNumberOf?.(phone)
      return number?.kind === 'allowed' ? number.to : null
    },
  }
}
