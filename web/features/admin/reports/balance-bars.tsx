import { codeInWords } from '#contracts/code-in-words'
import { groupDigits, minorOf } from './amounts.ts'
import type { Row } from './columns.ts'
import './balance-bars.css'

/** The balance of each account: debits to the right of the line, credits to the left. */
export function BalanceBars({ rows, currency }: { rows: readonly Row[]; currency: string }) {
  const balances = rows.map((row) => ({
    account: codeInWords(String(row['account'])),
    debit: minorOf(String(row['debit'])),
    credit: minorOf(String(row['credit'])),
    text: groupDigits(String(minorOf(String(row['debit'])) === 0 ? row['credit'] : row['debit'])),
  }))
  const largest = Math.max(1, ...balances.flatMap(({ debit, credit }) => [debit, credit]))
  const width = (minor: number) => `${(minor / largest) * 100}%`
  return (
    <figure className="chart">
      <figcaption>
        <h3>
          Balance of each account <span className="chart-unit">{currency.toUpperCase()}</span>
        </h3>
      </figcaption>
      <ul className="balance-bars">
        <li aria-hidden="true">
          <span />
          <span>Credit</span>
          <span>Debit</span>
        </li>
        {balances.map(({ account, debit, credit, text }) => (
          <li key={account}>
            <span>{account}</span>
            <span>
              {credit > 0 && (
                <>
                  <b className="num">{text}</b>
                  <i style={{ width: width(credit) }} />
                </>
              )}
            </span>
            <span>
              {credit === 0 && (
                <>
                  {debit > 0 && <i style={{ width: width(debit) }} />}
                  <b className="num">{text}</b>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </figure>
  )
}
