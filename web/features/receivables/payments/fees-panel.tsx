import { useState } from 'react'
import type { FeesResponse } from '#contracts/receivables/fees'
import { useListFeesInfiniteQuery } from '../../../api/fees-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { ExportButton } from '../list/export-button.tsx'
import { money } from '../shared/amounts.ts'
import { countOf } from '../shared/days.ts'
import { LoadFailure } from '../shared/load-failure.tsx'
import { LoadingRows } from '../shared/loading.tsx'
import { FeeTable } from './fee-table.tsx'
import '../list/list.css'
import './fees-panel.css'

type Month = FeesResponse['months'][number]

/** What clients paid through their pages, and the product's fee of each payment. */
export function FeesPanel() {
  const [month, setMonth] = useState<string | null>(null)
  const fees = useListFeesInfiniteQuery(month === null ? {} : { month })
  const pages = (fees.currentData ?? fees.data)?.pages
  const [first] = pages ?? []
  const months = first?.months ?? []
  return (
    <Panel
      title="Fees on payments"
      padded={false}
      actions={
        months.length > 0 && (
          <span className="fees-head">
            <MonthChoice months={months} value={month} onChange={setMonth} />
            <ExportButton path="fees" name="Fees" query={{ month }} />
          </span>
        )
      }
    >
      {pages === undefined &&
        (fees.isError ? (
          <LoadFailure
            what="the fees"
            error={fees.error}
            retrying={fees.isFetching}
            onRetry={() => void fees.refetch()}
          />
        ) : (
          <LoadingRows what="the fees" rows={3} />
        ))}
      {first !== undefined && months.length === 0 && (
        <div className="rcv-empty">
          <p>No client has paid through its page yet. Payments that you record have no fee.</p>
        </div>
      )}
      {pages !== undefined && months.length > 0 && (
        <div className={fees.currentData === undefined ? 'rcv-stale' : ''}>
          <ul className="fee-sums" aria-label="Sums">
            {sumsOf(months, month).map((sum) => (
              <li key={sum.currency} className="num">
                <Sum of={sum} />
              </li>
            ))}
          </ul>
          <FeeTable payments={pages.flatMap(({ items }) => items)} />
          {fees.hasNextPage && (
            <div className="rcv-pager">
              {fees.isFetchNextPageError && (
                <p role="alert">The next payments did not load. Try again.</p>
              )}
              <Button
                look="line"
                busy={fees.isFetchingNextPage}
                onClick={() => void fees.fetchNextPage()}
              >
                Show more payments
              </Button>
            </div>
          )}
        </div>
      )}
    </Panel>
  )
}

function Sum({ of }: { readonly of: Omit<Month, 'month'> }) {
  const { currency, payments, amount, netFee, feeReturned } = of
  return (
    <>
      <strong>{money(netFee, currency)}</strong> of fees on {countOf(payments, 'payment')} of{' '}
      {money(amount, currency)}
      {feeReturned > 0 && ` (${money(feeReturned, currency)} went back with refunds)`}
    </>
  )
}

interface MonthChoiceProps {
  readonly months: readonly Month[]
  readonly value: string | null
  readonly onChange: (month: string | null) => void
}

function MonthChoice({ months, value, onChange }: MonthChoiceProps) {
  return (
    <select
      className="input fees-month"
      aria-label="Month"
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
    >
      <option value="">All months</option>
      {[...new Set(months.map(({ month }) => month))].map((month) => (
        <option key={month} value={month}>
          {monthInWords(month)}
        </option>
      ))}
    </select>
  )
}

/** The sums of a month, or of all months, by currency. */
function sumsOf(months: readonly Month[], month: string | null): readonly Omit<Month, 'month'>[] {
  const sums = new Map<string, Omit<Month, 'month'>>()
  for (const { month: own, ...each } of months) {
    if (month !== null && own !== month) continue
    const known = sums.get(each.currency)
    sums.set(
      each.currency,
      known === undefined
        ? each
        : {
            currency: each.currency,
            payments: known.payments + each.payments,
            amount: known.amount + each.amount,
            back: known.back + each.back,
            fee: known.fee + each.fee,
            feeReturned: known.feeReturned + each.feeReturned,
            netFee: known.netFee + each.netFee,
          },
    )
  }
  return [...sums.values()]
}

/** `2026-11` is `November 2026`. */
function monthInWords(month: string): string {
  return new Intl.DateTimeFormat('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${month}-01T00:00:00.000Z`))
}
