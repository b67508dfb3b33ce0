import type { ClientResponse, ClientsPage } from '#contracts/receivables/clients'
import type { InvoiceResponse } from '#contracts/receivables/invoice'
import type { InvoicesPage } from '#contracts/receivables/invoices'
import type { ReceivablesOverview } from '#contracts/receivables/overview'
import type { StatementResponse } from '#contracts/receivables/statement'

const day = '2026-11-25'
const access = { mayAct: true, reason: null, sentence: null } as const
export const withoutPlan = {
  mayAct: false,
  reason: 'no-plan',
  sentence: 'You have no plan, so nothing can be changed. Subscribe to continue.',
} as const

const series = [24, 22, 27, 25, 19, 16, 19, 15, 12, 11, 9, 8, 7].map((value, week) => ({
  day: `2026-0${Math.min(9, week + 1)}-01`,
  value: value * 100_000,
}))

export function anOverview(changes: Partial<ReceivablesOverview> = {}): ReceivablesOverview {
  return {
    access,
    merchant: { companyName: 'Alder Dental', timeZone: 'America/Los_Angeles', today: day },
    asOf: day,
    currency: 'usd',
    currencies: ['usd'],
    counts: { clients: 19, invoices: 28 },
    figures: {
      outstanding: { amount: 2_345_600, count: 28, clients: 19, series },
      overdue: { amount: 1_288_700, count: 17, share: 549, series },
      collected: { amount: 875_650, count: 15, series },
      daysToPay: { days: 31.6, count: 12, series },
    },
    aging: {
      columns: [
        { bucket: 'not-due', amount: 1_056_900, count: 11, share: 451 },
        { bucket: '1-30', amount: 576_650, count: 8, share: 246 },
        { bucket: '31-60', amount: 212_350, count: 4, share: 90 },
        { bucket: '61-90', amount: 274_500, count: 3, share: 117 },
        { bucket: 'over-90', amount: 225_200, count: 2, share: 96 },
      ],
      days: [
        { dueDate: '2026-08-19', amount: 184_000, count: 1, pausedAmount: 184_000 },
        { dueDate: '2026-09-23', amount: 131_000, count: 1, pausedAmount: 0 },
        { dueDate: '2026-10-16', amount: 74_000, count: 1, pausedAmount: 30_000 },
        { dueDate: '2026-11-13', amount: 84_000, count: 1, pausedAmount: 0 },
        { dueDate: '2026-11-24', amount: 131_250, count: 2, pausedAmount: 0 },
        { dueDate: '2026-11-26', amount: 264_000, count: 1, pausedAmount: 0 },
        { dueDate: '2026-12-19', amount: 248_000, count: 1, pausedAmount: 0 },
      ],
    },
    needsYou: [
      {
        kind: 'promise-broken',
        clientId: 'client_1',
        clientName: 'Henrik Solberg',
        receivableId: 'receivable_1',
        number: 'AD-1159',
        sentence: 'Promised to pay by Nov 20. Nothing arrived.',
        amount: 74_000,
        currency: 'usd',
        daysOverdue: 40,
      },
      {
        kind: 'disputed',
        clientId: 'client_2',
        clientName: 'Ridgeline Builders',
        receivableId: 'receivable_2',
        number: 'AD-1093',
        sentence: 'The client disputes it: “Two crews were billed, one came.”',
        amount: 184_000,
        currency: 'usd',
        daysOverdue: 98,
      },
      {
        kind: 'credit',
        clientId: 'client_3',
        clientName: 'שיניים בריאות בע״מ',
        receivableId: null,
        number: null,
        sentence: 'A credit is not used.',
        amount: 1,
        currency: 'usd',
        daysOverdue: null,
      },
    ],
    reminders: { isOn: true, since: '2026-09-14T16:00:00.000Z' },
    needsYouTotal: 3,
    lastPayments: [
      {
        receivableId: 'receivable_4',
        paymentId: 'payment_4',
        clientId: 'client_4',
        clientName: 'Willamette Charter School',
        number: 'AD-1169',
        amount: 198_000,
        currency: 'usd',
        date: '2026-11-24',
        method: 'by check',
        recordedAt: '2026-11-24T18:00:00.000Z',
      },
    ],
    ...changes,
  }
}

const client = {
  clientId: 'client_1',
  name: 'Grace Whitaker',
  email: 'g.whitaker@postbox.example',
  phone: '(541) 555-0139',
  state: 'Oregon',
  timeZone: 'America/Los_Angeles',
  note: 'Insurance covers half of plan 3.',
  mayText: true,
  isErased: false,
}

const actTypes = [
  'change',
  'record-payment',
  'correct-payment',
  'reverse-payment',
  'issue-credit-memo',
  'hold',
  'promise',
  'dispute',
  'write-off',
]

const nothingComes = { stillness: null, messages: [], skips: [], waiting: [] }

export function anInvoice(changes: Partial<InvoiceResponse> = {}): InvoiceResponse {
  const event = {
    currency: 'usd',
    receivableId: 'receivable_1',
    number: 'AD-1187',
    messageId: null,
  }
  return {
    access,
    today: day,
    timeZone: 'America/Los_Angeles',
    receivableId: 'receivable_1',
    number: 'AD-1187',
    currency: 'usd',
    status: 'overdue',
    version: 3,
    details: {
      issueDate: '2026-10-14',
      dueDate: '2026-11-13',
      amount: 124_000,
      reference: 'Plan 2 of 3',
      url: 'https://alderdental.example/invoices/AD-1187.pdf',
    },
    since: '2026-10-14',
    figures: {
      open: 84_000,
      paid: 40_000,
      payments: 1,
      daysOverdue: 12,
      paidOn: null,
      daysToPay: null,
    },
    creditUses: [],
    payments: [
      {
        paymentId: 'payment_1',
        date: '2026-11-17',
        applied: 40_000,
        surplus: 0,
        method: 'check',
        note: 'Check 3391',
        isEstimated: false,
        paidWith: null,
        wentBack: 0,
        reversed: null,
      },
    ],
    agreements: {
      hold: null,
      clientHold: null,
      promisedBy: null,
      promiseIsBroken: false,
      isDisputed: false,
      disputedBy: null,
      disputeText: null,
      onItsWay: null,
    },
    ended: null,
    acts: actTypes.map((type) => ({ type, mayDo: true, code: null, sentence: null })),
    timeline: [
      {
        ...event,
        id: 'event_2',
        type: 'PaymentRecorded',
        mark: 'paid',
        title: 'Payment recorded',
        sentence: 'A payment of $400.00 by check on Nov 17, 2026 was recorded. Check 3391.',
        change: -40_000,
        day: '2026-11-17',
        recordedAt: '2026-11-18T02:55:00.000Z',
      },
      {
        ...event,
        id: 'event_1',
        type: 'ReceivableAdded',
        mark: 'added',
        title: 'Invoice added',
        sentence: 'An invoice of $1,240.00 was added.',
        change: 124_000,
        day: '2026-10-14',
        recordedAt: '2026-10-14T23:02:00.000Z',
      },
    ],
    coming: nothingComes,
    client: {
      ...client,
      credits: [],
      openInvoices: [
        {
          receivableId: 'receivable_1',
          number: 'AD-1187',
          dueDate: '2026-11-13',
          daysOverdue: 12,
          open: 84_000,
          currency: 'usd',
        },
        {
          receivableId: 'receivable_9',
          number: 'AD-1221',
          dueDate: '2026-12-16',
          daysOverdue: -21,
          open: 12_000,
          currency: 'usd',
        },
      ],
      owes: [{ currency: 'usd', open: 96_000 }],
    },
    ...changes,
  }
}

const counts = {
  open: 3,
  overdue: 2,
  promised: 1,
  'on-hold': 0,
  disputed: 1,
  paid: 214,
  'written-off': 3,
  canceled: 0,
  all: 220,
}

export function anInvoicesPage(changes: Partial<InvoicesPage> = {}): InvoicesPage {
  const row = {
    reference: 'Plan 2 of 3',
    issueDate: '2026-10-14',
    promisedBy: null,
    holdUntil: null,
    addedAt: '2026-10-14T23:02:00.000Z',
  }
  return {
    items: [
      {
        ...row,
        receivableId: 'receivable_1',
        number: 'AD-1187',
        clientId: 'client_1',
        clientName: 'Grace Whitaker',
        dueDate: '2026-11-13',
        daysOverdue: 12,
        currency: 'usd',
        amount: 124_000,
        open: 84_000,
        status: 'overdue',
      },
      {
        ...row,
        receivableId: 'receivable_2',
        number: 'AD-1093-WITH-A-VERY-LONG-NUMBER-OF-A-MACHINE',
        clientId: 'client_2',
        clientName:
          'Ridgeline Builders and Sons, Successors of the Northwestern Construction Partnership',
        dueDate: '2026-08-19',
        daysOverdue: 98,
        currency: 'usd',
        amount: 99_999_999_999,
        open: 99_999_999_999,
        status: 'disputed',
      },
      {
        ...row,
        receivableId: 'receivable_3',
        number: 'AD-1221',
        clientId: 'client_3',
        clientName: 'שיניים בריאות בע״מ',
        dueDate: '2026-12-16',
        daysOverdue: -21,
        currency: 'eur',
        amount: 1,
        open: 1,
        status: 'promised',
        promisedBy: '2026-12-20',
      },
    ],
    total: 3,
    totalIsExact: true,
    page: 1,
    pageSize: 20,
    counts,
    sums: [
      { currency: 'usd', open: 100_000_083_999, overdue: 100_000_083_999 },
      { currency: 'eur', open: 1, overdue: 0 },
    ],
    clients: 3,
    today: day,
    ...changes,
  }
}

export function aClientsPage(changes: Partial<ClientsPage> = {}): ClientsPage {
  return {
    items: [
      {
        clientId: 'client_1',
        name: 'Grace Whitaker',
        number: 'C-17',
        email: 'g.whitaker@postbox.example',
        phone: '(541) 555-0139',
        balances: [{ currency: 'usd', open: 96_000, overdue: 84_000, credit: 0 }],
        openInvoices: 2,
        oldestDue: '2026-11-13',
        daysOverdue: 12,
        isOnHold: false,
        hasBounced: false,
        isErased: false,
      },
    ],
    total: 1,
    totalIsExact: true,
    page: 1,
    pageSize: 20,
    counts: { owing: 1, overdue: 1, credit: 0, bounced: 0, all: 4 },
    today: day,
    ...changes,
  }
}

export function aClient(changes: Partial<ClientResponse> = {}): ClientResponse {
  return {
    access,
    today: day,
    timeZone: 'America/Los_Angeles',
    version: 2,
    client: { ...client, number: 'C-17', addedAt: '2026-10-14T23:02:00.000Z' },
    textConsent: { source: 'Signed form', date: '2026-11-17' },
    hold: null,
    portal: {
      url: `https://billing.example/pay/${'A'.repeat(43)}`,
      generation: 0,
      openedAt: '2026-11-20T17:05:00.000Z',
    },
    bounced: { mail: false, text: false },
    stops: { mail: null, text: null },
    balances: [{ currency: 'usd', open: 96_000, overdue: 84_000, credit: 1_000 }],
    openInvoices: 2,
    invoices: 5,
    oldestDue: '2026-11-13',
    credits: [{ creditId: 'credit_1', currency: 'usd', left: 1_000 }],
    timeline: anInvoice().timeline,
    timelineIsWhole: true,
    coming: nothingComes,
    ...changes,
  }
}

export function aStatement(changes: Partial<StatementResponse> = {}): StatementResponse {
  const line = { receivableId: 'receivable_1', number: 'AD-1187' }
  return {
    merchant: { companyName: 'Alder Dental', address: ['1 Main St', 'Eugene, OR 97401'] },
    client: {
      clientId: 'client_1',
      name: 'Grace Whitaker',
      number: 'C-17',
      email: 'g.whitaker@postbox.example',
    },
    today: day,
    from: '2026-08-27',
    asOf: day,
    parts: [
      {
        currency: 'usd',
        opening: 0,
        lines: [
          {
            ...line,
            day: '2026-10-14',
            kind: 'invoice',
            text: 'Invoice',
            paymentId: null,
            change: 124_000,
            balance: 124_000,
          },
          {
            ...line,
            day: '2026-11-17',
            kind: 'payment',
            text: 'Payment by check',
            paymentId: 'payment_1',
            change: -40_000,
            balance: 84_000,
          },
        ],
        closing: 84_000,
        overdue: 84_000,
        openInvoices: [],
      },
    ],
    ...changes,
  }
}
