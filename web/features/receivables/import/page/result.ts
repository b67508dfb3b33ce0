import type { ImportSummary } from '#contracts/receivables/imports'
import { formatCount } from '../../../../lib/money.ts'
import { sumsText } from '../../shared/amounts.ts'
import { countOf } from '../../shared/days.ts'
import type { Changes, ImportView, Sum } from './import-view.ts'

/** What the check said about the rows that were sent. */
export type ExpectedResult = Pick<ImportView, 'counts' | 'newOpen' | 'newClients' | 'changes'>

export interface ResultLine {
  readonly term: string
  readonly value: string
}

/** What an import did. The sums are those of the check, if the import did what it said. */
export function resultLines(summary: ImportSummary, expected: ExpectedResult): ResultLine[] {
  const { counts, missing } = summary
  const { changes, newOpen, newClients } = expected
  const asChecked =
    counts.added === expected.counts.new && counts.changed === expected.counts.changed
  const lines: readonly (readonly [string, number, readonly Sum[]])[] = asChecked
    ? [
        ['Invoices added', counts.added, newOpen],
        ['Payments recorded', changes.payments, changes.paid],
        ['Payments that went back', changes.reversals, []],
        ['Due dates changed', changes.dueDates, []],
        ['Amounts changed', changes.amounts, []],
        ['Other details changed', changes.others, []],
        ['Clients added', newClients, []],
      ]
    : [
        ['Invoices added', counts.added, []],
        ['Invoices changed', counts.changed, []],
      ]
  return [
    ...lines,
    ['Marked as paid', missing, []] as const,
    ['Unchanged', counts.unchanged, []] as const,
    ['Refused', counts.refused, []] as const,
  ]
    .filter(([, number]) => number > 0)
    .map(([term, number, sums]) => ({
      term,
      value:
        sums.length === 0
          ? formatCount(number)
          : `${formatCount(number)}, ${sumsText(sums, openOf)}`,
    }))
}

export const openOf = ({ open }: Sum) => open

/** `5 payments, $515.00; 1 due date` */
export function changesText({ payments, paid, reversals, dueDates, amounts, others }: Changes) {
  return [
    payments > 0 && `${countOf(payments, 'payment')}, ${sumsText(paid, openOf)}`,
    reversals > 0 && `${countOf(reversals, 'payment')} went back`,
    dueDates > 0 && countOf(dueDates, 'due date'),
    amounts > 0 && countOf(amounts, 'amount'),
    others > 0 && countOf(others, 'other detail'),
  ]
    .filter(Boolean)
    .join('; ')
}
