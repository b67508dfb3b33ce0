import type { ClientResponse, ClientsPage } from '#contracts/receivables/clients'
import type { FigureEventsResponse } from '#contracts/receivables/figure-events'
import type { InvoiceResponse } from '#contracts/receivables/invoice'
import type {
  ComingMessage,
  MessageResponse,
  NextMessages,
  NextSteps,
} from '#contracts/receivables/messages'
import type { InvoicesPage } from '#contracts/receivables/invoices'
import type { MoreNeedsYou, ReceivablesOverview } from '#contracts/receivables/overview'
import type { Paying } from '#contracts/receivables/paying'
import type { StatementResponse } from '#contracts/receivables/statement'

/* Answers of the calls of receivables, about the merchant of the drawn screens. */

const merchantMayAct = { mayAct: true, reason: null, sentence: null }
const grace = 'client_6f1c0f7a1d3b5e6f8a9b0c1d2e3f4a5b'
const invoice = 'receivable_6c1f9a2e-8a52-5f0e-9d55-3c1d0f0c7a11'
const today = '2026-11-25'

export const sampleOverview: ReceivablesOverview = {
  access: merchantMayAct,
  merchant: { companyName: 'Alder Dental', timeZone: 'America/Los_Angeles', today },
  asOf: today,
  currency: 'usd',
  currencies: ['usd'],
  counts: { clients: 19, invoices: 245 },
  figures: {
    outstanding: {
      amount: 2_345_600,
      count: 28,
      clients: 19,
      series: [
        { day: '2026-11-18', value: 2_410_000 },
        { day: today, value: 2_345_600 },
      ],
    },
    overdue: {
      amount: 1_288_700,
      count: 17,
      share: 549,
      series: [
        { day: '2026-11-18', value: 1_300_000 },
        { day: today, value: 1_288_700 },
      ],
    },
    collected: { amount: 875_650, count: 15, series: [{ day: today, value: 875_650 }] },
    daysToPay: { days: 31.6, count: 40, series: [{ day: today, value: 31.6 }] },
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
      { dueDate: '2026-11-13', amount: 84_000, count: 1, pausedAmount: 0 },
    ],
  },
  needsYou: [
    {
      kind: 'promise-broken',
      clientId: 'client_0a1b2c3d4e5f60718293a4b5c6d7e8f9',
      clientName: 'Henrik Solberg',
      receivableId: 'receivable_1c1f9a2e-8a52-5f0e-9d55-3c1d0f0c7a11',
      number: 'AD-1159',
      sentence: 'Promised to pay by Nov 20. $740.00 is still open.',
      amount: 74_000,
      currency: 'usd',
      daysOverdue: 40,
    },
  ],
  reminders: { isOn: true, since: '2026-09-14T16:00:00.000Z' },
  needsYouTotal: 1,
  lastPayments: [
    {
      receivableId: invoice,
      paymentId: 'payment_1',
      clientId: grace,
      clientName: 'Grace Whitaker',
      number: 'AD-1187',
      amount: 40_000,
      currency: 'usd',
      date: '2026-11-17',
      method: 'by check',
      recordedAt: '2026-11-18T02:55:00.000Z',
    },
  ],
}

export const sampleInvoicesPage: InvoicesPage = {
  items: [
    {
      receivableId: invoice,
      number: 'AD-1187',
      clientId: grace,
      clientName: 'Grace Whitaker',
      reference: 'Plan 2 of 3',
      issueDate: '2026-10-14',
      dueDate: '2026-11-13',
      daysOverdue: 12,
      currency: 'usd',
      amount: 124_000,
      open: 84_000,
      status: 'overdue',
      promisedBy: null,
      holdUntil: null,
      addedAt: '2026-10-14T23:02:00.000Z',
    },
  ],
  total: 28,
  totalIsExact: true,
  page: 1,
  pageSize: 20,
  counts: {
    open: 28,
    overdue: 17,
    promised: 1,
    'on-hold': 2,
    disputed: 1,
    paid: 214,
    'written-off': 3,
    canceled: 0,
    all: 245,
  },
  sums: [{ currency: 'usd', open: 2_345_600, overdue: 1_288_700 }],
  clients: 19,
  today,
}

const sampleComingMessage: ComingMessage = {
  day: '2026-11-27',
  at: '2026-11-27T17:30:00.000Z',
  channel: 'text',
  tone: 'firm',
  isByHand: false,
  steps: [
    {
      receivableId: invoice,
      number: 'AD-1187',
      open: 84_000,
      currency: 'usd',
      stepId: '0b8f6c1e-52d7-4f3a-9a41-6d2e7c90a105',
      repetition: 0,
      offset: 14,
      channel: 'text',
      tone: 'firm',
      dueDay: '2026-11-27',
      reason: '14 days after the due date.',
    },
  ],
}

export const sampleMoreNeedsYou: MoreNeedsYou = {
  items: [],
  total: 0,
  noStepLeft: {
    invoices: 6,
    clients: 6,
    sums: [{ currency: 'usd', amount: 356_050 }],
    daysOverdue: { most: 94, least: 34 },
  },
}

export const sampleNextSteps: NextSteps = {
  steps: [
    {
      receivableId: 'receivable_1',
      kind: 'message',
      day: '2026-11-27',
      channel: 'text',
      note: 'Firm text, with AD-1214',
    },
    {
      receivableId: 'receivable_2',
      kind: 'wait',
      day: null,
      channel: null,
      note: 'until you end the dispute',
    },
    {
      receivableId: 'receivable_3',
      kind: 'none',
      day: null,
      channel: null,
      note: 'Final e-mail sent Sep 22',
    },
  ],
}

export const sampleNextMessages: NextMessages = {
  stillness: null,
  days: [
    { day: '2026-11-25', isSendingDay: true, mails: 0, texts: 0, skipped: 0 },
    { day: '2026-11-26', isSendingDay: false, mails: 0, texts: 0, skipped: 0 },
    { day: '2026-11-27', isSendingDay: true, mails: 0, texts: 1, skipped: 1 },
  ],
  messages: [
    {
      day: '2026-11-27',
      at: '2026-11-27T17:30:00.000Z',
      channel: 'text',
      tone: 'firm',
      clientId: grace,
      clientName: 'Grace Whitaker',
      invoices: [
        {
          receivableId: invoice,
          number: 'AD-1187',
          open: 84_000,
          currency: 'usd',
          reason: '14 days after the due date.',
        },
      ],
    },
  ],
  notSent: [
    {
      day: '2026-11-27',
      clientId: grace,
      clientName: 'Grace Whitaker',
      channel: 'text',
      tone: 'friendly',
      receivableId: invoice,
      number: 'AD-1198',
      open: 264_000,
      currency: 'usd',
      reason: 'No e-mail address, no consent to texts.',
    },
  ],
  sentToday: { mails: 2, texts: 1 },
}

export const sampleMessage: MessageResponse = {
  messageId: 'message_1',
  channel: 'mail',
  tone: 'firm',
  state: 'sent',
  to: 'g.whitaker@postbox.example',
  at: '2026-11-20T17:30:00.000Z',
  subject: 'Invoice AD-1187 of Alder Dental is 7 days late',
  body: 'Dear Grace Whitaker, $840.00 is open.',
}

const card = {
  clientId: grace,
  name: 'Grace Whitaker',
  email: 'g.whitaker@postbox.example',
  phone: '(541) 555-0139',
  state: 'Oregon',
  timeZone: null,
  note: 'Insurance covers half of plan 3.',
  mayText: true,
  isErased: false,
}

const timeline: InvoiceResponse['timeline'] = [
  {
    id: 'event_2',
    type: 'PaymentRecorded',
    mark: 'paid',
    title: 'Payment recorded',
    sentence: 'A payment of $400.00 by check on Nov 17, 2026 was recorded. Check 3391.',
    change: -40_000,
    currency: 'usd',
    day: '2026-11-17',
    recordedAt: '2026-11-18T02:55:00.000Z',
    receivableId: invoice,
    number: 'AD-1187',
    messageId: null,
  },
  {
    id: 'event_1',
    type: 'ReceivableAdded',
    mark: 'added',
    title: 'Invoice added',
    sentence: 'Invoice AD-1187 of $1,240.00, due Nov 13, 2026, was added.',
    change: 124_000,
    currency: 'usd',
    day: '2026-10-14',
    recordedAt: '2026-10-14T23:02:00.000Z',
    receivableId: invoice,
    number: 'AD-1187',
    messageId: null,
  },
]

export const sampleInvoice: InvoiceResponse = {
  access: merchantMayAct,
  today,
  timeZone: 'America/Los_Angeles',
  receivableId: invoice,
  number: 'AD-1187',
  currency: 'usd',
  status: 'overdue',
  version: 0,
  details: {
    issueDate: '2026-10-14',
    dueDate: '2026-11-13',
    amount: 124_000,
    reference: 'Plan 2 of 3',
    url: null,
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
  acts: [
    { type: 'record-payment', mayDo: true, code: null, sentence: null },
    {
      type: 'cancel',
      mayDo: false,
      code: 'is-reduced',
      sentence: 'Payments, credits or credit memos reduce this invoice. Reverse them first.',
    },
  ],
  timeline,
  coming: { stillness: null, messages: [sampleComingMessage], skips: [], waiting: [] },
  client: {
    ...card,
    credits: [],
    openInvoices: [
      {
        receivableId: invoice,
        number: 'AD-1187',
        dueDate: '2026-11-13',
        daysOverdue: 12,
        open: 84_000,
        currency: 'usd',
      },
    ],
    owes: [{ currency: 'usd', open: 124_500 }],
  },
}

const balances = [{ currency: 'usd', open: 124_500, overdue: 112_500, credit: 0 }]

export const sampleClientsPage: ClientsPage = {
  items: [
    {
      clientId: grace,
      name: 'Grace Whitaker',
      number: null,
      email: card.email,
      phone: card.phone,
      balances,
      openInvoices: 3,
      oldestDue: '2026-11-13',
      daysOverdue: 12,
      isOnHold: false,
      hasBounced: false,
      isErased: false,
    },
  ],
  total: 19,
  totalIsExact: true,
  page: 1,
  pageSize: 20,
  counts: { owing: 19, overdue: 12, credit: 0, bounced: 0, all: 41 },
  today,
}

export const sampleClient: ClientResponse = {
  access: merchantMayAct,
  today,
  timeZone: 'America/Los_Angeles',
  version: 0,
  client: { ...card, number: null, addedAt: '2026-10-14T23:02:00.000Z' },
  textConsent: { source: 'Form at the front desk', date: '2026-11-17' },
  hold: null,
  portal: {
    url: `https://billing.example/pay/${'A'.repeat(43)}`,
    generation: 0,
    openedAt: '2026-11-20T17:05:00.000Z',
  },
  bounced: { mail: false, text: false },
  stops: { mail: null, text: null },
  balances,
  openInvoices: 3,
  invoices: 3,
  oldestDue: '2026-11-13',
  credits: [],
  timeline,
  timelineIsWhole: true,
  coming: { stillness: null, messages: [sampleComingMessage], skips: [], waiting: [] },
}

export const sampleStatement: StatementResponse = {
  merchant: { companyName: 'Alder Dental', address: ['12 Alder Street', 'Bend, Oregon 97701'] },
  client: { clientId: grace, name: 'Grace Whitaker', number: null, email: card.email },
  today,
  from: '2026-08-27',
  asOf: today,
  parts: [
    {
      currency: 'usd',
      opening: 0,
      lines: [
        {
          day: '2026-10-14',
          kind: 'invoice',
          receivableId: invoice,
          number: 'AD-1187',
          text: 'Invoice AD-1187, due Nov 13, 2026',
          paymentId: null,
          change: 124_000,
          balance: 124_000,
        },
        {
          day: '2026-11-17',
          kind: 'payment',
          receivableId: invoice,
          number: 'AD-1187',
          text: 'Payment by check',
          paymentId: 'payment_6a1e5b0c-1f0f-4b52-8f6a-2f1f6c7d9e02',
          change: -40_000,
          balance: 84_000,
        },
      ],
      closing: 84_000,
      overdue: 84_000,
      openInvoices: [
        {
          receivableId: invoice,
          number: 'AD-1187',
          reference: 'Plan 2 of 3',
          issueDate: '2026-10-14',
          dueDate: '2026-11-13',
          daysOverdue: 12,
          amount: 124_000,
          open: 84_000,
        },
      ],
    },
  ],
}

export const sampleFigureEvents: FigureEventsResponse = {
  figure: 'collected',
  asOf: today,
  currency: 'usd',
  amount: 40_000,
  total: 1,
  items: [
    {
      id: 'event_2',
      type: 'PaymentRecorded',
      sentence: 'A payment of $400.00 by check on Nov 17, 2026 was recorded.',
      amount: 40_000,
      outcome: null,
      days: null,
      day: '2026-11-17',
      recordedAt: '2026-11-18T02:55:00.000Z',
      receivableId: invoice,
      number: 'AD-1187',
      clientId: grace,
      clientName: 'Grace Whitaker',
    },
  ],
  next: null,
}

export const samplePaying: Paying = {
  asOf: today,
  currency: 'usd',
  dso: { days: 38.2, outstanding: 2_345_600 },
  daysToPay: { days: 31.6, count: 40 },
  promises: { count: 12, kept: 9 },
  reminders: { count: 143, followed: 61 },
}
