import { describe, expect, it } from '@jest/globals'
import { accountEvents, type AccountEvent } from '#contracts/events/account'
import { billingEvents, type BillingEvent } from '#contracts/events/billing'
import type { DomainEvent } from '#contracts/events/catalogue'
import { failedInvoices } from '#services/notifications/dunning/unpaid-invoices'
import { foldAccount, foldBilling } from '#services/notifications/known'
import { linksAt } from '#services/notifications/links'
import { planMails, type UserMailEvent } from '#services/notifications/plan-mails'
import type { PlannedMail } from '#services/notifications/planned-mail'
import { recorded, type DataOf } from '../../support/data/events.ts'
import { aReceipt } from '../../support/data/receipts.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'

export const links = linksAt('https://billing.example')
export const dana = 'dana@birchwooddental.example'
export const accounts = 'accounts@birchwooddental.example'
const at = '2026-04-04T10:00:00.000Z'

type UserEvent = AccountEvent | BillingEvent
type Typed<Type extends DomainEvent['type']> = Extract<DomainEvent, { type: Type }>

/** An event with its sample payload. */
export function on<Type extends DomainEvent['type']>(
  type: Type,
  changes: Partial<DataOf<Type>> = {},
) {
  return { type, data: { ...samplePayloads[type], ...changes } } as Typed<Type>
}

/** The events before and after the one that is mailed. */
export interface Given {
  readonly before?: readonly UserEvent[]
  readonly after?: readonly UserEvent[]
  readonly hasReceipt?: boolean
  readonly farewell?: string | null
  /** The time of the business clock when the mail is about to be sent. */
  readonly sentAt?: string
}
export type MailedEvent = Typed<UserMailEvent['type']>

const isAccount = <Event extends DomainEvent>(event: Event): event is Event & AccountEvent =>
  Object.hasOwn(accountEvents, event.type)
const isBilling = <Event extends DomainEvent>(event: Event): event is Event & BillingEvent =>
  Object.hasOwn(billingEvents, event.type)

/** The mails of an event. */
export function plan(
  event: MailedEvent,
  { before = [], after = [], hasReceipt = true, farewell = null, sentAt = at }: Given,
): readonly PlannedMail[] {
  const record = <Event extends DomainEvent>(each: Event) =>
    recorded('stream', each, { occurredAt: at })
  const former = before.map(record)
  const mailed = record(event)
  const history = [...former, mailed, ...after.map(record)]
  const fold = (events: typeof history) => ({
    account: foldAccount(events.filter(isAccount)),
    billing: foldBilling(events.filter(isBilling)),
  })
  const now = fold(history)
  const then = fold(former)
  return planMails(
    mailed as UserMailEvent,
    {
      ...now,
      accountBefore: isAccount(event) ? then.account : now.account,
      billingBefore: isBilling(event) ? then.billing : now.billing,
      failedInvoices: failedInvoices(history.filter(isBilling)),
      receipt: hasReceipt ? aReceipt() : null,
      farewell,
      at: sentAt,
    },
    links,
  )
}

/** `receipt to dana@…`, or `receipt not sent: erased`. */
export function inShort(mail: PlannedMail): string {
  if ('unsent' in mail) return `${mail.kind} not sent: ${mail.reason}`
  expect(mail.notification.kind).toBe(mail.kind)
  return `${mail.kind} to ${mail.to}`
}

export const unverified = [on('AccountOpened'), on('CompanyProfileCompleted')]
export const open = [...unverified, on('EmailVerified')]
export const customer = [...open, on('SubscriptionStarted')]
export const erased = on('PersonalDataErased')
export const ended = on('SubscriptionEnded')

export type Row = readonly [
  name: string,
  event: MailedEvent,
  given: Given,
  mails: readonly string[],
]

/** Which mail an event causes, and why none. */
export function describeMails(subject: string, rows: readonly Row[]): void {
  describe(`the mails about ${subject}`, () => {
    it.each(rows)('%s', (_name, event, given, mails) => {
      expect(plan(event, given).map(inShort)).toEqual(mails)
    })
  })
}
