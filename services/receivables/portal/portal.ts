import type { CheckoutId, ClientId, UserId } from '#contracts/ids'
import { addDays, type Day } from '#services/finance/calendar'
import { clientDecider } from '../client-decider.ts'
import type { AddedClient } from '../client-state.ts'
import type { CommandHandler } from '#services/commands/handle-command'
import { clientStream, merchantStream } from '#services/foundation/stream-names'
import { parseReceivableId } from '#contracts/ids'
import type { Brands } from '../brand/brands.ts'
import { messageSender } from '../brand/message-sender.ts'
import { shownText } from '../client-card.ts'
import type { MessageSender } from '../messages/message-data.ts'
import type { Merchant, MerchantOf } from '../merchant-access.ts'
import { maxDaysOfPromise } from '../decide-agreement.ts'
import { merchantDecider } from '../merchant-decider.ts'
import type { ReceivablesQueries } from '../receivables-queries.ts'
import type { Receivables } from '../receivables-service.ts'
import { isSendingDay } from '../reminders/sending-times.ts'
import { plannedSchedule } from '../schedule/planned-schedule.ts'
import type { ContactStops } from '../stops/contact-stops.ts'
import { defaultBrandColor, digitsOf } from './portal-brand.ts'
import type { PortalTokens } from './portal-tokens.ts'
import { submittedReceivables } from '../checkout/checkout-state.ts'
import { paidCheckout } from './paid-of.ts'
import { createReturnedPayments } from './returned-payments.ts'
import { waysOf } from './ways-of.ts'
import { agreementsOf } from './agreements-of.ts'
import { accountOf, type PortalView, type Reach } from './portal-view.ts'
import { promiseOffer, promisesMade } from './promise-offer.ts'

export interface PortalParts {
  readonly tokens: PortalTokens
  readonly commands: Pick<CommandHandler, 'load'>
  readonly receivables: Pick<Receivables, 'calendarOf' | 'listedReceivables'>
  readonly queries: Pick<ReceivablesQueries, 'statementParts' | 'shows'>
  readonly merchantOf: MerchantOf
  readonly brands: Pick<Brands, 'settingsOf'>
  readonly publicUrl: string
  readonly stops: Pick<ContactStops, 'stopsOf'>
  /** The payment provider's name, as people know it. */
  readonly provider: string
}

/** A client whose link is valid, or was, and its merchant. */
export interface Visit {
  readonly token: string
  /** The link stops the mails to the address that got it, and does nothing else. */
  readonly isRevoked: boolean
  readonly merchantId: UserId
  readonly clientId: ClientId
  readonly client: AddedClient
  readonly merchant: Merchant
  /** The merchant as its clients see it. */
  readonly sender: MessageSender
  readonly color: string
}

/**
 * Open invoices that the client can act on, and whose document is linked. Each is a stream that is
 * read.
 */
export const maxInvoices = 100
/** So many revoked links before the present one can still stop mails. */
const maxRevoked = 100
/** Of payments that the portal shows. */
const shownDays = 365

/** What the client portal reads. */
export function createPortal(parts: PortalParts) {
  const { tokens, commands, receivables, queries, merchantOf, brands, stops } = parts
  const returning = createReturnedPayments({ commands, receivables })
  return { visitOf, viewOf, merchantIn }

  /**
   * Null for every link that leads nowhere: unknown, forged, revoked, or of an erased client.
   * `orRevoked`: a revoked one counts, too.
   */
  async function visitOf(token: string, { orRevoked = false } = {}): Promise<Visit | null> {
    const clientId = tokens.clientIn(token)
    if (clientId === null) return null
    const { state } = await commands.load({
      decider: clientDecider,
      stream: clientStream(clientId),
    })
    const generation = state.kind === 'added' ? state.portalGeneration : 0
    const isValid = tokens.isValid(token, clientId, generation)
    const wasValid = () =>
      Array.from(
        { length: Math.min(generation, maxRevoked) },
        (_, back) => generation - 1 - back,
      ).some((each) => tokens.isValid(token, clientId, each))
    const isRevoked = !isValid && orRevoked && wasValid()
    if ((!isValid && !isRevoked) || state.kind !== 'added' || state.isErased) return null
    const { merchantId } = state
    const merchant = await merchantOf(merchantId)
    if (merchant.isErased) return null
    const { brand } = await brands.settingsOf(merchantId)
    return {
      token,
      isRevoked,
      merchantId,
      clientId,
      client: state,
      merchant,
      sender: messageSender(brand, merchant, parts.publicUrl),
      color: brand.color === null ? defaultBrandColor : digitsOf(brand.color),
    }
  }

  /** `checkoutId`: of the payment from which the client comes back. */
  async function viewOf(visit: Visit, checkoutId: CheckoutId | null = null): Promise<PortalView> {
    const { token, merchantId, clientId, client } = visit
    const { today, timeZone } = await receivables.calendarOf(merchantId)
    const returned = paidCheckout(client, checkoutId)
    if (returned?.standing === 'paid') await queries.shows(await returning.positionsOf(returned))
    const [statement, reach, merchantState] = await Promise.all([
      queries.statementParts(merchantId, clientId, {
        from: addDays(today, -shownDays),
        asOf: today,
      }),
      reachOf(stops, visit),
      stateOf(merchantId),
    ])
    const read = statement
      .flatMap(({ openInvoices }) => openInvoices)
      .sort((one, other) => (one.dueDate < other.dueDate ? -1 : 1))
      .slice(0, maxInvoices)
      .map(({ receivableId }) => parseReceivableId(receivableId))
    const known = new Map(
      (await receivables.listedReceivables(merchantId, read)).map((each) => [
        each.state.receivableId as string,
        agreementsOf(each),
      ]),
    )
    const schedule = plannedSchedule(merchantState.reminders.schedule)
    const account = accountOf(statement, known, submittedReceivables(client))
    const rules = {
      today,
      last: addDays(today, maxDaysOfPromise),
      isSendingDay: (day: Day) => isSendingDay(schedule, day),
    }
    return {
      token,
      brand: { color: visit.color, logo: visit.sender.logo },
      merchant: merchantIn(visit),
      clientName: shownText(client.details.name),
      today,
      timeZone,
      ...account,
      ways: waysOf(visit.merchant, merchantState.payments, parts.provider),
      paid: returned === null ? null : await returning.paidOf(merchantId, returned, timeZone),
      offer: promiseOffer(account.invoices, rules),
      promises: promisesMade(account.invoices, rules),
      reach,
    }
  }

  async function stateOf(merchantId: UserId) {
    const { state } = await commands.load({
      decider: merchantDecider,
      stream: merchantStream(merchantId),
    })
    return state
  }
}

function merchantIn({ merchant, sender }: Visit): PortalView['merchant'] {
  return {
    name: sender.name,
    logo: sender.logo,
    address: sender.address,
    email: sender.replyTo === '' ? null : sender.replyTo,
    phone: merchant.phone,
  }
}

/** By which channels the client gets messages, and why not by the others. */
async function reachOf(
  stops: PortalParts['stops'],
  { merchantId, client }: Visit,
): Promise<readonly Reach[]> {
  const { email, phone } = client.details
  const stopped = await stops.stopsOf(merchantId, { email, phone })
  const mail: readonly Reach[] =
    email === null
      ? []
      : [{ channel: 'mail', address: email, state: stopped.mail === null ? 'on' : 'stopped' }]
  if (phone === null) return mail
  const state =
    stopped.text === 'text' || stopped.text === 'provider'
      ? 'stopped-by-text'
      : stopped.text !== null
        ? 'stopped'
        : client.mayText
          ? 'on'
          : 'no-consent'
  return [...mail, { channel: 'text', address: phone, state }]
}
