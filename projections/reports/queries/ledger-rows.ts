import { accounts } from '#services/finance/ledger/accounts'
import { createRecognized } from '#services/finance/ledger/recognized'
import { createRevenue, netSigns, type RevenueMeasure } from '#services/finance/ledger/revenue'
import { createTrialBalance } from '#services/finance/ledger/trial-balance'
import { balanceRows, recognizedRows, revenueRows } from '#services/finance/reports/ledger-rows'
import type { ReportParameters, ReportRow } from '#services/finance/reports/report-types'
import type { FigureSum, RecognitionSum } from './load-sums.ts'
import { oneOf, optionalTextOf, storedMonth, textOf } from './stored-texts.ts'

const measures = Object.keys(netSigns) as readonly RevenueMeasure[]

export function revenueOf(
  sums: readonly FigureSum[],
  parameters: ReportParameters,
): readonly ReportRow[] {
  const revenue = createRevenue()
  for (const { month, row, figure, amount } of sums)
    revenue.addSum(
      {
        month: storedMonth(month),
        planName: optionalTextOf(row, 'plan'),
        currency: textOf(row, 'currency'),
      },
      oneOf(measures, figure),
      amount,
    )
  return revenueRows(revenue, parameters)
}

export function recognizedOf(
  sums: readonly FigureSum[],
  recognition: readonly RecognitionSum[],
  parameters: ReportParameters,
): readonly ReportRow[] {
  const recognized = createRecognized()
  for (const { month, row, figure, amount } of sums) {
    const isRecognized = oneOf(['recognized', 'deferred_at_end'], figure) === 'recognized'
    recognized.addSum(
      { month: storedMonth(month), currency: textOf(row, 'currency') },
      { recognized: isRecognized ? amount : 0, deferred: isRecognized ? 0 : amount },
    )
  }
  for (const { month, currency, amount } of recognition)
    recognized.addSum(
      { month: storedMonth(month), currency },
      { recognized: amount, deferred: -amount },
    )
  return recognizedRows(recognized, parameters)
}

export function balanceOf(
  sums: readonly FigureSum[],
  recognition: readonly RecognitionSum[],
): readonly ReportRow[] {
  const balance = createTrialBalance()
  for (const { row, figure, amount } of sums) {
    const isDebit = oneOf(['debit', 'credit'], figure) === 'debit'
    balance.addSum({
      account: oneOf(accounts, row['account']),
      currency: textOf(row, 'currency'),
      debit: isDebit ? amount : 0,
      credit: isDebit ? 0 : amount,
    })
  }
  for (const { currency, amount } of recognition) {
    balance.addSum({ account: 'deferred_revenue', currency, debit: amount, credit: 0 })
    balance.addSum({ account: 'revenue', currency, debit: 0, credit: amount })
  }
  return balanceRows(balance)
}
