import { describe, expect, it } from '@jest/globals'
import { render, screen } from '@testing-library/react'
import { adminEnquiriesResponse } from '#contracts/admin/enquiries'
import { adminPaymentsResponse } from '#contracts/admin/payments'
import { adminRefundsResponse } from '#contracts/admin/refunds'
import { subscriptionChangesResponse } from '#contracts/purchases'
import type { Column } from '../../web/features/admin/table/list-tab.ts'
import { enquiriesTab } from '../../web/features/admin/tabs/enquiries-tab.tsx'
import { paymentsTab } from '../../web/features/admin/tabs/payments-tab.tsx'
import { refundsTab } from '../../web/features/admin/tabs/refunds-tab.tsx'
import { PlanChanges } from '../../web/ui/plan-changes.tsx'
import { aPayment, anEnquiry, aRefund, pageOf } from './support/admin-data.ts'
import { aChange, today } from './support/purchases-data.ts'

const failure = {
  attempt: 1,
  reason: 'card_declined',
  outcome: 'open' as const,
  next_attempt_at: null,
  recovered_at: null,
}

describe('a value that a newer release adds passes the contract and shows as its words', () => {
  it('the status of an enquiry', () => {
    const { items } = adminEnquiriesResponse.parse({
      ...pageOf([{ ...anEnquiry(), status: 'spam' }]),
    })
    showCells(enquiriesTab.columns, 'Status', items)
    expect(screen.getByText('Spam')).toBeTruthy()
  })

  it('the status and the kind of a refund', () => {
    const { items } = adminRefundsResponse.parse(
      pageOf([{ ...aRefund(), status: 'on_hold', refund_type: 'goodwill' }]),
    )
    showCells(refundsTab.columns, 'Status', items)
    showCells(refundsTab.columns, 'Refund Type', items)
    expect(screen.getByText('On hold')).toBeTruthy()
    expect(screen.getByText('Goodwill')).toBeTruthy()
  })

  it('what became of a failed payment', () => {
    const { items } = adminPaymentsResponse.parse(
      pageOf([{ ...aPayment(), failure: { ...failure, outcome: 'sold' } }]),
    )
    showCells(paymentsTab.columns, 'Status', items)
    expect(screen.getByText('Sold')).toBeTruthy()
  })

  it('a change of plan', () => {
    const { changes } = subscriptionChangesResponse.parse({
      changes: [{ ...aChange(), change_type: 'transfer' }],
    })
    render(<PlanChanges changes={changes} now={today} />)
    expect(screen.getByText('Transfer')).toBeTruthy()
  })
})

function showCells<Item, Sort extends string>(
  columns: readonly Column<Item, Sort>[],
  title: string,
  items: readonly Item[],
): void {
  const column = columns.find((each) => each.title === title)
  for (const item of items) render(<>{column?.cell(item, { rows: items, now: today })}</>)
}
