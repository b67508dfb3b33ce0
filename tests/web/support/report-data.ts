import type {
  ReportEventsResponse,
  ReportResponse,
  ReportsOverview,
} from '#contracts/admin/reports'
import type { ReportName } from '#contracts/finance/report-columns'
import { anEvent } from './history-data.ts'

export const overview: ReportsOverview = {
  time_zone: 'America/New_York',
  now: '2026-03-20T12:00:00.000Z',
  today: '2026-03-20',
  first_month: '2026-01',
  closed_through: '2026-01',
  position: '1042',
  paused_since: null,
  parked_customers: 0,
  skipped_events: 0,
}

type Rows = ReportResponse['rows']

const usd = (month: string, plan: string, gross: string, refunds: string, net: string) => ({
  month,
  plan,
  currency: 'usd',
  gross,
  refunds,
  credits: '0.00',
  disputes: '0.00',
  tax: '0.00',
  net,
})

/** Rows of each report, of January to March 2026. */
const reportRows: Readonly<Record<ReportName, Rows>> = {
  revenue: [
    usd('2026-01', 'Monthly Plan', '100.10', '0.00', '100.10'),
    usd('2026-02', 'Annual Plan', '1200.20', '0.00', '1200.20'),
    usd('2026-02', 'Monthly Plan', '200.20', '50.05', '150.15'),
    usd('2026-03', 'Monthly Plan', '0.30', '0.00', '0.30'),
  ],
  mrr: ['2026-01', '2026-02', '2026-03'].map((month, index) => ({
    month,
    currency: 'usd',
    opening: `${index * 100}.00`,
    new: '130.00',
    expansion: '0.00',
    contraction: '0.00',
    churn: '-30.00',
    reactivation: '0.00',
    closing: `${(index + 1) * 100}.00`,
  })),
  subscriptions: ['2026-01', '2026-02', '2026-03'].map((month, index) => ({
    month,
    active: 10 + index,
    trialing: 0,
    paused: 1,
    past_due: 0,
    churn_rate: [null, '0.0345', '0.0100'][index] ?? null,
  })),
  retention: [
    { cohort: '2026-01', month: '2026-01', months: 0, customers: 4, retained: 4, rate: '1.0000' },
    { cohort: '2026-01', month: '2026-02', months: 1, customers: 4, retained: 3, rate: '0.7500' },
    { cohort: '2026-02', month: '2026-02', months: 0, customers: 2, retained: 2, rate: '1.0000' },
  ],
  recognized: ['2026-01', '2026-02', '2026-03'].map((month) => ({
    month,
    currency: 'usd',
    recognized: '80.00',
    deferred_at_end: '1234.56',
  })),
  'failed-payments': [],
  refunds: [
    {
      month: '2026-02',
      type: 'partial',
      reason: null,
      currency: 'usd',
      refunds: 1,
      amount: '50.05',
    },
  ],
  'trial-balance': [
    { account: 'cash', currency: 'usd', debit: '1450.75', credit: '0.00' },
    { account: 'revenue', currency: 'usd', debit: '0.00', credit: '1450.75' },
  ],
  journal: [
    {
      entry_id: '5bfb9ddf-8dcb-5327-8357-b0a1c2d3e4f5/sale',
      event_id: '5bfb9ddf-8dcb-5327-8357-b0a1c2d3e4f5',
      date: '2026-01-10',
      account: 'receivable',
      currency: 'usd',
      debit: '100.10',
      credit: '0.00',
    },
  ],
  adjustments: [],
}

export function aReport(name: ReportName, rows: Rows = reportRows[name]): ReportResponse {
  const isPaged = name === 'journal' || name === 'adjustments'
  return {
    report: name,
    parameters: { time_zone: 'America/New_York' },
    position: '1042',
    computed_at: '2026-03-20T15:45:00.000Z',
    rows: [...rows],
    ...(isPaged && { total: name === 'journal' ? 120 : 0 }),
  }
}

export function figureEvents(overrides: Partial<ReportEventsResponse> = {}): ReportEventsResponse {
  const event = anEvent({
    id: '5bfb9ddf-8dcb-5327-8357-b0a1c2d3e4f5',
    stream: 'billing-usr_1',
    revision: 16,
    title: 'Payment succeeded',
    user_id: 'usr_1',
    user_email: 'dana@birchwooddental.example',
  })
  return {
    report: 'revenue',
    column: 'net',
    currency: 'usd',
    sum: '150.15',
    is_sum: true,
    position: '1042',
    total: 2,
    next: null,
    items: [
      { day: '2026-02-03', adds: '200.20', event },
      {
        day: '2026-02-09',
        adds: '-50.05',
        event: { ...event, id: 'e2', revision: 17, title: 'Refund recorded' },
      },
    ],
    ...overrides,
  }
}
