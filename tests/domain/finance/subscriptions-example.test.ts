import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { subscriptionStatus, type BillingEvent } from '#contracts/events/billing'
import type { SubscriptionTerms } from '#contracts/events/billing-parts'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { billing, observed, subscriptionStarted } from '../../support/data/events.ts'
import { reportsOf, subscriptionChanges } from '../../support/data/finance.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'

const page = readFileSync('docs/finance.md', 'utf8')

type Row = Readonly<Record<string, string>>

/** The rows of the table below the comment `<!-- example: name -->`. */
function tableOf(name: string): readonly Row[] {
  const [, after = ''] = page.split(`<!-- example: ${name} -->\n`)
  const [header = [], , ...rows] = after
    .slice(0, after.indexOf('\n\n'))
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  return rows.map((cells) => Object.fromEntries(header.map((key, i) => [key, cells[i] ?? ''])))
}

const minor = (major: string | undefined) => Math.round(Number(major) * 100)
const major = (amount: number) => (amount / 100).toFixed(2)

function termsOf({ price, interval, quantity }: Row): SubscriptionTerms {
  const { from } = samplePayloads.PlanChanged
  return {
    ...from,
    price: { amount: minor(price), currency: 'usd' },
    interval: interval === 'year' || interval === 'week' ? interval : 'month',
    quantity: Number(quantity),
  }
}

function eventOf(row: Row): RecordedEvent<BillingEvent> {
  const { day, customer = '', subscription: subscriptionId = '', change } = row
  const occurredAt = `${day}T12:00:00.000Z`
  const place = { occurredAt }
  const status = subscriptionStatus
    .exclude(['paused', 'canceled', 'incomplete_expired'])
    .optional()
    .parse(row['status'] === '' ? undefined : row['status'])
  const of = (event: BillingEvent) => billing(customer, event, place)
  if (change === 'starts')
    return subscriptionStarted(
      customer,
      { subscriptionId, ...termsOf(row), status: status ?? 'active' },
      place,
    )
  if (change === 'status') {
    const to = status ?? 'active'
    const data = { subscriptionId, from: 'active' as const, to, ...observed }
    return of({ type: 'SubscriptionStatusChanged', data })
  }
  if (change === 'plan') {
    const { PlanChanged } = samplePayloads
    const data = { ...PlanChanged, subscriptionId, to: termsOf(row), effectiveAt: occurredAt }
    return of({ type: 'PlanChanged', data })
  }
  if (change === 'pause')
    return of({
      type: 'SubscriptionPaused',
      data: { subscriptionId, resumesAt: null, ...observed },
    })
  if (change === 'ends')
    return of({
      type: 'SubscriptionEnded',
      data: { subscriptionId, why: 'canceled', endedAt: occurredAt },
    })
  throw new Error(`docs/finance.md has a change that the test does not know: ${change}`)
}

describe('the example of docs/finance.md', () => {
  const changes = tableOf('changes')
  const { mrr, subscriptions, retention } = reportsOf(
    subscriptionChanges(changes.map(eventOf)),
    '2026-01',
    '2026-04',
  )

  it('has 14 changes', () => {
    expect(changes).toHaveLength(14)
  })

  it('has the MRR that the changes give', () => {
    expect(tableOf('mrr')).toEqual(
      mrr.map((row) => ({
        month: row.month,
        currency: row.currency,
        opening: major(row.opening),
        new: major(row.new),
        expansion: major(row.expansion),
        contraction: major(row.contraction),
        churn: major(row.churn),
        reactivation: major(row.reactivation),
        closing: major(row.closing),
      })),
    )
  })

  it('has the subscriptions that the changes give', () => {
    expect(tableOf('subscriptions')).toEqual(
      subscriptions.map((row) => ({
        month: row.month,
        active: String(row.active),
        trialing: String(row.trialing),
        paused: String(row.paused),
        past_due: String(row.pastDue),
        churn_rate: row.churnRate ?? '',
      })),
    )
  })

  it('has the retention that the changes give', () => {
    expect(tableOf('retention')).toEqual(
      retention.map((row) => ({
        cohort: row.cohort,
        month: row.month,
        customers: String(row.customers),
        retained: String(row.retained),
        retention: row.retention ?? '',
      })),
    )
  })
})
