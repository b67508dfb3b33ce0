import type { ReportName } from '#contracts/finance/report-columns'
import { failedPaymentsReport } from './definitions/failed-payments.ts'
import { lineReport } from './definitions/line-report.ts'
import { mrrReport } from './definitions/mrr.ts'
import { recognizedReport } from './definitions/recognized.ts'
import { refundsReport } from './definitions/refunds.ts'
import { retentionReport } from './definitions/retention.ts'
import { revenueReport } from './definitions/revenue.ts'
import { subscriptionsReport } from './definitions/subscriptions.ts'
import { trialBalanceReport } from './definitions/trial-balance.ts'
import type { Report } from './report.ts'

const byName: Readonly<Record<ReportName, Report>> = {
  revenue: revenueReport,
  mrr: mrrReport,
  subscriptions: subscriptionsReport,
  retention: retentionReport,
  recognized: recognizedReport,
  'failed-payments': failedPaymentsReport,
  refunds: refundsReport,
  'trial-balance': trialBalanceReport,
  journal: lineReport('journal'),
  adjustments: lineReport('adjustments'),
}

export function reportByName(name: ReportName): Report {
  return byName[name]
}
