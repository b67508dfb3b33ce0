import fc from 'fast-check'
import type { BillingEvent } from '#contracts/events/billing'
import { clientCheckoutEvents } from '#contracts/events/client-checkout'
import { eventCatalogue, type DomainEvent, type RecordedEvent } from '#contracts/events/catalogue'
import { refundStatuses } from '#contracts/refund-status'
import { handledTypes } from '#projections/engine/read-model'
import { readModels } from '#projections/read-models'
import { erasedValue, protectionOf } from '#services/event-store/encryption/personal-fields'
import { streamOwner } from '#services/foundation/stream-names'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { categoryOfType } from './category-of-type.ts'
import {
  accountOpened,
  billing,
  observed,
  paymentFailed,
  paymentSucceeded,
  profileCompleted,
  recorded,
  subscriptionStarted,
  type Place,
} from './events.ts'
import { amountsOf } from './provider-invoice.ts'
import { samplePayloads } from './sample-payloads.ts'

const first = Date.parse('2026-01-01T00:00:00.000Z')
const day = 86_400_000

type EventType = DomainEvent['type']

/** `arbitraryHistory` puts these events before the first event that needs them. */
const prerequisites: ReadonlySet<EventType> = new Set<EventType>([
  'AccountOpened',
  'SubscriptionStarted',
  'ClientAdded',
  'ClientCheckoutStarted',
  'ReceivableAdded',
  'ImportStarted',
  'MessageDue',
])

/** Every event type that a read model folds, apart from the prerequisites. */
const foldedTypes = [...new Set(readModels.flatMap((model) => [...handledTypes(model)]))].filter(
  (type) => !prerequisites.has(type),
)

const stepOf = (types: readonly EventType[]) =>
  fc.record({
    user: fc.integer({ min: 1, max: 4 }),
    subscription: fc.integer({ min: 1, max: 2 }),
    days: fc.integer({ min: 0, max: 400 }),
    type: fc.constantFrom(...types),
    status: fc.constantFrom('active', 'past_due', 'incomplete', 'unpaid'),
    refundStatus: fc.constantFrom(...refundStatuses),
    currency: fc.constantFrom('usd', 'usd', 'eur', 'jpy'),
  })
type Step = ReturnType<typeof stepOf> extends fc.Arbitrary<infer Value> ? Value : never

/**
 * Possible events of four users, of every type that a read model folds. Every event follows the
 * events that it needs (an opened account, a started subscription). The order is otherwise
 * arbitrary.
 */
export const arbitraryHistory: fc.Arbitrary<readonly RecordedEvent[]> = fc
  .array(stepOf(foldedTypes), { minLength: 1, maxLength: 60 })
  .map(historyOf)

/** As `arbitraryHistory`, with many events of a few types, and the events that these need. */
export function arbitraryHistoryOf(
  types: readonly EventType[],
): fc.Arbitrary<readonly RecordedEvent[]> {
  const steps = types.filter((type) => !prerequisites.has(type))
  return fc.array(stepOf(steps), { minLength: 1, maxLength: 80, size: 'max' }).map(historyOf)
}

function historyOf(steps: readonly Step[]): readonly RecordedEvent[] {
  const events: RecordedEvent[] = []
  const begun = new Set<string>()
  for (const [index, each] of steps.entries()) {
    const userId = `usr_${each.user}`
    const subscriptionId = `subscription_${each.user}_${each.subscription}`
    const place = { occurredAt: at(each.days), revision: index }
    const begin = (key: string, event: () => RecordedEvent) => {
      if (!begun.has(key)) events.push(event())
      begun.add(key)
    }
    begin(userId, () => accountOpened(userId, `user${each.user}@example.com`, place))
    if (needsSubscription(each.type)) {
      begin(subscriptionId, () =>
        subscriptionStarted(
          userId,
          { subscriptionId, subscriptionRef: refOf(`${subscriptionId}`) },
          place,
        ),
      )
    }
    for (const [key, created] of creatorOf(each.type))
      begin(`${userId} ${key}`, () => sampleOf(created, userId, subscriptionId, place))
    events.push(eventOf(each, userId, subscriptionId, place))
  }
  return numbered(withOwnRefunds(events))
}

/**
 * Each RefundRecorded is of a new refund. A later event is about the user's last refund and starts
 * from the refund's amount and status.
 */
function withOwnRefunds(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const last = new Map<
    string,
    Pick<typeof samplePayloads.RefundRecorded, 'refundId' | 'amount' | 'status'>
  >()
  return events.map((event, index) => {
    const { stream } = event
    const known = last.get(stream)
    switch (event.type) {
      case 'RefundRecorded': {
        const data = { ...event.data, refundId: `${event.data.refundId}_${index}` }
        last.set(stream, data)
        return { ...event, data }
      }
      case 'RefundStatusChanged': {
        if (known === undefined) return event
        const { refundId, amount, status: from } = known
        last.set(stream, { ...known, status: event.data.to })
        return { ...event, data: { ...event.data, refundId, amount, from } }
      }
      case 'RefundStatusOverridden':
        return { ...event, data: { ...event.data, refundId: known?.refundId ?? '' } }
      default:
        return event
    }
  })
}

/**
 * The events with the revisions and positions that a log gives them in this order. After a person
 * is erased, the personal fields of the person's later events are '[erased]', as the codec reads
 * them.
 */
function numbered(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const lengths = new Map<string, number>()
  const erased = new Set<string>()
  return events.map((event, index) => {
    const revision = lengths.get(event.stream) ?? 0
    lengths.set(event.stream, revision + 1)
    const owner = 'clientId' in event.data ? event.data.clientId : streamOwner(event.stream)
    if (event.type === 'PersonalDataErased' || event.type === 'ClientErased') erased.add(owner)
    // An enquiry has its own key, which this erasure does not destroy.
    const isErased = erased.has(owner) && categoryOfType(event.type) !== 'enquiry'
    const known = isErased ? withoutPerson(event) : event
    return { ...known, revision, position: String(index + 1) }
  })
}

/** The events as the codec reads them after the erasure of every person. */
export function withoutPersons(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  return events.map(withoutPerson)
}

function withoutPerson(event: RecordedEvent): RecordedEvent {
  const schema = eventCatalogue[event.type]?.schema
  const erase = schema && protectionOf(schema)
  if (!erase) return event
  return { ...event, data: erase(event.data, '', () => erasedValue) } as RecordedEvent
}

/** The event that creates the refund, credit note or dispute that the event changes. */
function creatorOf(type: EventType): readonly (readonly [string, EventType])[] {
  switch (type) {
    case 'RefundStatusChanged':
    case 'RefundStatusOverridden':
      return [['refund', 'RefundRecorded']]
    case 'EnquiryStatusChanged':
    case 'EnquiryErased':
      return [['enquiry', 'EnquirySubmitted']]
    case 'CreditNoteVoided':
      return [['credit note', 'CreditNoteIssued']]
    case 'DisputeClosed':
      return [['dispute', 'DisputeOpened']]
    case 'CreditApplied':
    case 'CreditRestored':
    case 'CreditReturned':
    case 'CreditCanceled':
    case 'CreditReversed':
      return [
        ['client', 'ClientAdded'],
        ['credit', 'CreditAdded'],
      ]
    case 'PaymentReversed':
      return [
        ['client', 'ClientAdded'],
        ['receivable', 'ReceivableAdded'],
        ['payment of a client', 'PaymentRecorded'],
      ]
    default:
      if (categoryOfType(type) === 'clientReminder')
        return [
          ['client', 'ClientAdded'],
          ['message', 'MessageDue'],
        ]
      if (Object.hasOwn(clientCheckoutEvents, type))
        return [
          ['client', 'ClientAdded'],
          ['checkout of a client', 'ClientCheckoutStarted'],
        ]
      if (categoryOfType(type) === 'client') return [['client', 'ClientAdded']]
      if (categoryOfType(type) === 'import') return [['import', 'ImportStarted']]
      if (categoryOfType(type) === 'receivable')
        return [
          ['client', 'ClientAdded'],
          ['receivable', 'ReceivableAdded'],
        ]
      return []
  }
}

/** An event about money can be folded without its subscription. */
function needsSubscription(type: EventType): boolean {
  return (
    type.startsWith('Subscription') ||
    type.startsWith('PlanChange') ||
    type.startsWith('Cancellation') ||
    type === 'RecurringDeductionsChanged'
  )
}

/**
 * Types whose data decides what is folded have varied data. The other types have their sample
 * payload.
 */
function eventOf(
  { type, days, status, refundStatus, currency }: Step,
  userId: string,
  subscriptionId: string,
  place: Required<Pick<Place, 'occurredAt' | 'revision'>>,
): RecordedEvent {
  const paymentId = `payment_${place.revision}`
  const billed = (event: BillingEvent) => billing(userId, event, place)
  switch (type) {
    case 'CompanyProfileCompleted':
      return profileCompleted(userId, { companyName: `Company ${place.revision}` }, place)
    case 'PaymentSucceeded': {
      const { customerName, city, hostedInvoiceUrl } = samplePayloads.PaymentSucceeded
      return paymentSucceeded(
        userId,
        {
          ...(days % 2 === 0 ? { customerName, city, hostedInvoiceUrl } : {}),
          subscriptionId,
          paymentId,
          periodStart: at(days),
          // Months and years.
          periodEnd: at(days + (place.revision % 4 === 0 ? 365 : 30)),
          amounts: amountsOf(100 + place.revision, currency),
        },
        place,
      )
    }
    case 'PaymentFailed':
      return paymentFailed(
        userId,
        { subscriptionId, paymentId, cause: days % 2 === 0 ? 'first' : 'renewal' },
        place,
      )
    case 'SubscriptionRenewed':
      return billed({
        type,
        data: {
          subscriptionId,
          currentPeriodStart: at(days),
          currentPeriodEnd: at(days + 30),
        },
      })
    case 'SubscriptionStatusChanged':
      return billed({ type, data: { subscriptionId, from: 'active', to: status, ...observed } })
    case 'PlanChanged': {
      const { from, to } = samplePayloads.PlanChanged
      return billed({
        type,
        data: {
          subscriptionId,
          from,
          to: { ...to, quantity: 1 + (place.revision % 3) },
          effectiveAt: at(days),
          currentPeriodStart: at(days),
          currentPeriodEnd: at(days + 30),
          proration: null,
          prorationLines: [],
          isInferred: false,
        },
      })
    }
    case 'CancellationScheduled':
      return billed({ type, data: { subscriptionId, effectiveAt: at(days + 10), ...observed } })
    case 'SubscriptionEnded':
      return billed({ type, data: { subscriptionId, why: 'canceled', endedAt: at(days) } })
    case 'RefundRecorded':
      return billed({
        type,
        data: {
          ...samplePayloads.RefundRecorded,
          subscriptionId,
          refundId: `refund_${userId}`,
          amount: { amount: 100 + place.revision, currency },
          status: refundStatus,
        },
      })
    case 'MonthCutOff': {
      const month = at(days).slice(0, 7)
      return recorded(`close-${month}`, { type, data: { month, timeZone: 'UTC' } }, place)
    }
    case 'RefundStatusChanged':
      return billed({ type, data: { ...samplePayloads.RefundStatusChanged, to: refundStatus } })
    default:
      return sampleOf(type, userId, subscriptionId, place)
  }
}

function sampleOf(
  type: EventType,
  userId: string,
  subscriptionId: string,
  place: Place,
): RecordedEvent {
  const sample = samplePayloads[type]
  const data = {
    ...sample,
    ...('subscriptionId' in sample ? { subscriptionId } : {}),
    ...('refundId' in sample ? { refundId: `refund_${userId}` } : {}),
    ...('creditNoteId' in sample ? { creditNoteId: `creditnote_${userId}` } : {}),
    ...('disputeId' in sample ? { disputeId: `dispute_${userId}` } : {}),
    ...('merchantId' in sample ? { merchantId: userId } : {}),
    ...('clientId' in sample ? { clientId: clientOf(userId) } : {}),
    ...(Object.hasOwn(clientCheckoutEvents, type) ? { checkoutId: `checkout_${userId}` } : {}),
    ...('receivableId' in sample ? { receivableId: receivableOf(userId) } : {}),
    ...('messageId' in sample ? { messageId: `message_${userId}` } : {}),
    ...('steps' in sample ? { steps: ofReceivable(sample.steps, userId) } : {}),
    ...('replaced' in sample ? { replaced: ofReceivable(sample.replaced, userId) } : {}),
  }
  return recorded(streamOf(type, userId), { type, data } as DomainEvent, place)
}

/* Each user has one client with one receivable. */
const clientOf = (userId: string) => `client_${userId}`
const receivableOf = (userId: string) =>
  `receivable_6c1f9a2e-8a52-5f0e-9d55-${userId.replace(/\D/g, '').padStart(12, '0')}`

function ofReceivable(steps: readonly object[], userId: string): readonly object[] {
  return steps.map((step) => ({ ...step, receivableId: receivableOf(userId) }))
}

function streamOf(type: EventType, userId: string): string {
  const category = categoryOfType(type)
  if (category === 'client') return `client-${clientOf(userId)}`
  if (category === 'clientReminder') return `clientReminder-${clientOf(userId)}`
  if (category === 'receivable') return `receivable-${receivableOf(userId)}`
  return `${category}-${userId}`
}

function at(days: number): string {
  return new Date(first + days * day).toISOString()
}
