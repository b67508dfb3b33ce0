import type { KeyObject } from 'node:crypto'
import fc from 'fast-check'
import type { BillingEvent } from '#contracts/events/billing'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { fixedKeys } from '../event-store/fixed-keys.ts'
import { macKey } from '../event-store/mac-key.ts'
import type { FinanceEvent, PlatformFeeEvent } from '#services/finance/finance-event'
import { createCodec } from '#services/event-store/encryption/codec'
import type { EventStore } from '#services/event-store/event-store'
import { appendGenuine } from './append-genuine.ts'
import { arbitraryMoney } from './arbitrary-money.ts'
import { arbitrarySubscriptions } from './arbitrary-subscriptions.ts'
import { billing, observed, recorded } from './events.ts'
import { arbitraryPlatformFees, feeEvent } from './platform-fees.ts'
import { samplePayloads } from './sample-payloads.ts'

type Event = RecordedEvent<BillingEvent>
type FeeEvent = RecordedEvent<PlatformFeeEvent>

const hour = 3_600_000
const lateByHours = 40 * 24

/**
 * Several hundred events about money and subscriptions of many customers, from 2026 on, the same
 * in every run: taxes, prorations, refunds of all statuses, credit notes, disputes, currencies,
 * unknown payments, pauses, plan changes, fees on payments of clients. They are in the order in
 * which they were recorded. Every seventh fact was recorded 40 days late.
 */
export function financeEvents(): readonly FinanceEvent[] {
  const histories = [
    ...fc
      .sample(arbitraryMoney, { seed: 16, numRuns: 40 })
      .map((history) => withDecisions(withOutcomes(recordedInOrder(history)))),
    ...fc.sample(arbitrarySubscriptions, { seed: 16, numRuns: 12 }).map(asRecorded),
    rareEnds(),
  ]
  const events = histories
    .flatMap((history, index) => history.map((event) => renamed(event, String(index))))
    .sort(byTime)
  const fees = fc
    .sample(arbitraryPlatformFees, { seed: 16, numRuns: 8 })
    .flatMap((history, index) => history.map((event) => ofHistory(event, String(index))))
  return numbered([...withoutRepeats(events), ...fees].toSorted(byTime))
}

/** Appends the events in their order, without personal keys. */
export function appendFinanceEvents(
  store: Pick<EventStore, 'append' | 'readLast'>,
  events: readonly FinanceEvent[],
  key: KeyObject = macKey,
): Promise<void> {
  return appendGenuine({ store, codec: createCodec(fixedKeys({})), macKey: key }, events)
}

/**
 * What no random history of this seed contains: a credit note of a paid invoice is voided while
 * revenue is deferred, and a chargeback is lost whose payment became known after it.
 */
function rareEnds(): readonly Event[] {
  const paid = (paymentId: string, day: string): BillingEvent => {
    const [line] = samplePayloads.PaymentSucceeded.lines
    if (line === undefined) throw new Error('The sample has a line.')
    const period = { periodStart: at(day), periodEnd: at('2027-05-03') }
    const data = { ...samplePayloads.PaymentSucceeded, paymentId, ...period }
    return { type: 'PaymentSucceeded', data: { ...data, lines: [{ ...line, ...period }] } }
  }
  const [credited, disputed] = ['payment_credited', 'payment_disputed']
  const creditNote = { ...samplePayloads.CreditNoteIssued, paymentId: credited, refunded: 0 }
  const dispute = { ...samplePayloads.DisputeOpened, paymentId: disputed }
  const facts: readonly (readonly [day: string, event: BillingEvent])[] = [
    ['2026-05-03', paid(credited, '2026-05-03')],
    ['2026-05-10', { type: 'CreditNoteIssued', data: { ...creditNote, toBalance: 15_00 } }],
    ['2026-05-12', { type: 'DisputeOpened', data: dispute }],
    ['2026-05-14', paid(disputed, '2026-05-04')],
    ['2026-06-02', { type: 'CreditNoteVoided', data: samplePayloads.CreditNoteVoided }],
    ['2026-06-20', { type: 'DisputeClosed', data: samplePayloads.DisputeClosed }],
  ]
  return facts.map(([day, event]) => billing('usr_1', event, { occurredAt: at(day) }))
}

function at(day: string): string {
  return `${day}T09:00:00.000Z`
}

/** The facts of a history in the order in which they were recorded. */
function recordedInOrder(history: readonly Event[]): readonly Event[] {
  return history.map((event, index) =>
    recordedAt(
      event,
      Date.parse(event.metadata.occurredAt) + (index % 7 === 0 ? lateByHours * hour : 0),
    ),
  )
}

/** Every second refund has a later outcome: it fails after it succeeded, or it succeeds. */
function withOutcomes(history: readonly Event[]): readonly Event[] {
  const refunds = history.filter((event) => event.type === 'RefundRecorded')
  const outcomes = refunds
    .filter((_, index) => index % 2 === 0)
    .map(({ stream, data, metadata }) => {
      const later = new Date(Date.parse(metadata.recordedAt) + 20 * 24 * hour).toISOString()
      const { refundId, amount, status: from } = data
      const to = from === 'succeeded' ? ('failed' as const) : ('succeeded' as const)
      const change = { refundId, amount, from, to, ...observed }
      const user = stream.slice('billing-'.length)
      return billing(user, { type: 'RefundStatusChanged', data: change }, { occurredAt: later })
    })
  return [...history, ...outcomes]
}

/** The bank decides two of three chargebacks later: one is won, and one is lost. */
function withDecisions(history: readonly Event[]): readonly Event[] {
  const decisions = history
    .filter((event) => event.type === 'DisputeOpened')
    .flatMap(({ stream, data: { disputeId, amount }, metadata }, index) => {
      const outcome = (['won', 'lost', null] as const)[index % 3] ?? null
      if (outcome === null) return []
      const later = new Date(Date.parse(metadata.recordedAt) + 30 * 24 * hour).toISOString()
      const data = { disputeId, amount, outcome, ...observed }
      const user = stream.slice('billing-'.length)
      return [billing(user, { type: 'DisputeClosed', data }, { occurredAt: later })]
    })
  return [...history, ...decisions]
}

/** A history whose order must stay: each event is recorded after the events before it. */
function asRecorded(history: readonly Event[]): readonly Event[] {
  let last = 0
  return history.map((event) => {
    last = Math.max(last, Date.parse(event.metadata.occurredAt))
    return recordedAt(event, last)
  })
}

function recordedAt(event: Event, ms: number): Event {
  return { ...event, metadata: { ...event.metadata, recordedAt: new Date(ms).toISOString() } }
}

const idFields = ['paymentId', 'refundId', 'creditNoteId', 'disputeId', 'subscriptionId'] as const

/** The event of a separate customer, whose payments and refunds no other customer has. */
function renamed({ type, data, stream, metadata }: Event, history: string): Event {
  const own: Record<string, unknown> = { ...data }
  for (const field of idFields)
    if (typeof own[field] === 'string') own[field] = `${own[field]}_${history}`
  // The generator leaves the sample's invoice: each payment has its own.
  if ('invoiceRef' in own && typeof own['paymentId'] === 'string')
    own['invoiceRef'] = `stripe:in_${own['paymentId']}`
  const user = `${stream.slice('billing-'.length)}_${history}`
  const event = billing(user, JSON.parse(JSON.stringify({ type, data: own })) as BillingEvent)
  return { ...event, metadata }
}

/** What the deciders guarantee: each fact once, and no change of what is unknown or over. */
function withoutRepeats(events: readonly Event[]): readonly Event[] {
  const known = new Set<string>()
  const isFirst = (id: string) => !known.has(id) && known.add(id).size > 0
  return events.filter(({ type, data }) => {
    switch (type) {
      case 'PaymentSucceeded':
        return isFirst(data.paymentId)
      case 'RefundRecorded':
        return isFirst(data.refundId)
      case 'RefundStatusChanged':
        return known.has(data.refundId)
      case 'CreditNoteIssued':
        return isFirst(data.creditNoteId)
      case 'CreditNoteVoided':
        return known.has(data.creditNoteId) && isFirst(`${data.creditNoteId} is void`)
      case 'DisputeOpened':
        return isFirst(data.disputeId)
      case 'DisputeClosed':
        return known.has(data.disputeId) && isFirst(`${data.disputeId} is closed`)
      default:
        return true
    }
  })
}

/** Events of one time keep their order. */
function byTime(a: FinanceEvent, b: FinanceEvent): number {
  return Date.parse(a.metadata.recordedAt) - Date.parse(b.metadata.recordedAt)
}

/** The fee of a separate merchant. */
function ofHistory(event: FeeEvent, history: string): FeeEvent {
  const own = {
    merchantId: `usr_1_${event.data.merchantId.slice('usr_'.length)}_${history}`,
    clientId: `${event.data.clientId}_${history}`,
  }
  return event.type === 'PlatformFeeCharged'
    ? feeEvent(own, { type: event.type, data: event.data })
    : feeEvent(own, { type: event.type, data: event.data })
}

function numbered(events: readonly FinanceEvent[]): readonly FinanceEvent[] {
  const lengths = new Map<string, number>()
  return events.map(({ stream, type, data, metadata }, index) => {
    const revision = lengths.get(stream) ?? 0
    lengths.set(stream, revision + 1)
    const place = { occurredAt: metadata.occurredAt, revision, position: String(index + 1) }
    const event = recorded(stream, { type, data } as BillingEvent | PlatformFeeEvent, place)
    return {
      ...event,
      metadata: { ...event.metadata, recordedAt: metadata.recordedAt },
    }
  })
}
