import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { StatementResponse } from '#contracts/receivables/statement'
import { useGetStatementQuery } from '../../../api/receivables-api.ts'
import { Panel } from '../../../ui/panel.tsx'
import { ExportButton } from '../list/export-button.tsx'
import { money, signedMoney } from '../shared/amounts.ts'
import { AsOfField } from '../shared/as-of-field.tsx'
import { fullDay } from '../shared/days.ts'
import { LoadFailure } from '../shared/load-failure.tsx'
import { LoadingRows } from '../shared/loading.tsx'
import { invoicePath } from '../shared/paths.ts'
import './statement.css'

/** What the client owed at the end of a day, and what led to it. */
export function Statement({ clientId, today }: { clientId: string; today: string }) {
  const [asOf, setAsOf] = useState<string | null>(null)
  const reading = useGetStatementQuery({ clientId, asOf: asOf ?? undefined })
  const statement = reading.currentData ?? reading.data
  return (
    <Panel
      title="Statement"
      padded={false}
      actions={
        <span className="statement-head">
          <AsOfField today={today} value={asOf} onChange={setAsOf} />
          <ExportButton
            path={`clients/${encodeURIComponent(clientId)}/statement`}
            name="Statement"
            query={{ asOf }}
          />
          <ExportButton
            path={`clients/${encodeURIComponent(clientId)}/statement`}
            name="Statement"
            query={{ asOf }}
            format="pdf"
          />
        </span>
      }
    >
      {reading.isError && (
        <LoadFailure
          what="the statement"
          error={reading.error}
          retrying={reading.isFetching}
          onRetry={() => void reading.refetch()}
        />
      )}
      {!reading.isError && statement === undefined && <LoadingRows what="the statement" rows={3} />}
      {!reading.isError && statement !== undefined && (
        <div className={reading.currentData === undefined ? 'rcv-stale' : ''}>
          {statement.parts.length === 0 && (
            <p className="statement-none">
              Nothing was owed from {fullDay(statement.from)} to {fullDay(statement.asOf)}.
            </p>
          )}
          {statement.parts.map((part) => (
            <Part key={part.currency} part={part} statement={statement} />
          ))}
        </div>
      )}
    </Panel>
  )
}

type StatementPart = StatementResponse['parts'][number]

/** The lines of one currency. */
function Part({ part, statement }: { part: StatementPart; statement: StatementResponse }) {
  const { currency, opening, lines, closing, overdue } = part
  return (
    <table className="statement" role="table" aria-label={`Statement in ${currency.toUpperCase()}`}>
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col" role="columnheader">
            Day
          </th>
          <th scope="col" role="columnheader">
            What
          </th>
          <th scope="col" role="columnheader" className="right">
            Change
          </th>
          <th scope="col" role="columnheader" className="right">
            Owed, {currency.toUpperCase()}
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        <tr role="row">
          <td role="cell">{fullDay(statement.from)}</td>
          <td role="cell">Owed before</td>
          <td role="cell">{'\u00a0'}</td>
          <td role="cell" className="right">
            {money(opening, currency)}
          </td>
        </tr>
        {lines.map((line, index) => (
          // Two lines of one invoice can be equal; their order does not change.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={index} role="row">
            <td role="cell">{fullDay(line.day)}</td>
            <td role="cell" dir="auto">
              {line.text}{' '}
              <Link className="mono" to={invoicePath(line.receivableId)}>
                {line.number}
              </Link>
            </td>
            <td role="cell" className="right">
              {signedMoney(line.change, currency)}
            </td>
            <td role="cell" className="right">
              {money(line.balance, currency)}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot role="rowgroup">
        <tr role="row">
          <td role="cell">{fullDay(statement.asOf)}</td>
          <td role="cell">
            Owed at the end of the day
            {overdue > 0 && <small>{money(overdue, currency)} of it overdue</small>}
          </td>
          <td role="cell">{'\u00a0'}</td>
          <td role="cell" className="right">
            {money(closing, currency)}
          </td>
        </tr>
      </tfoot>
    </table>
  )
}
