import { shadesOf } from '#contracts/receivables/brand-color'
import { addDays, parseDay, type Day } from '#services/finance/calendar'
import type { MessageData, OpenReceivable } from '#services/receivables/messages/message-data'
import { originalTemplates, tones } from '#services/receivables/templates/original-templates'
import type { MailTemplate, Template } from '#services/receivables/templates/original-templates'
import type { Sample } from './sample-data.ts'

/*
 * Reminders of an invented merchant to its clients.
 */

interface SampleReminder {
  readonly mail: MailTemplate
  readonly text: Template
  readonly data: MessageData
}

const day = (text: string): Day => {
  const parsed = parseDay(text)
  if (parsed === null) throw new Error(`${text} is no day.`)
  return parsed
}

/** Drawn here, so that the gallery needs no server: merchants upload no SVG. */
const leaf = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100" viewBox="0 0 28 28"><path d="M14 2.2c6.3 2.6 9.4 7 9.4 12.3 0 5-3.4 8.8-9.4 9.7-6-.9-9.4-4.700-9.4-9.700C4.6 9.200 7.700 4.800 14 2.200Z" fill="#3B4A9B"/><path d="M14 8v18.500M14 20.500l5-4.600M14 16l3.700-3.600M14 20.500 9 15.900M14 16l-3.700-3.600" stroke="#fff" stroke-width="1.700"/></svg>`,
)}`

const invoice: OpenReceivable = {
  number: 'AD-1187',
  currency: 'usd',
  issueDate: day('2026-10-14'),
  dueDate: day('2026-11-13'),
  reference: 'Plan 2 of 3',
  amount: 124_000,
  open: 84_000,
}

const data: MessageData = {
  sender: {
    name: 'Alder Dental',
    logo: { url: leaf, width: 100, height: 100 },
    shades: { light: shadesOf('#3B4A9B', 'light'), dark: shadesOf('#3B4A9B', 'dark') },
    replyTo: 'front@alderdental.example',
    address: ['1140 Alder Street, Suite 3', 'Eugene, OR 97401'],
  },
  tone: 'firm',
  clientName: 'Grace Whitaker',
  today: day('2026-11-20'),
  receivables: [invoice],
  portalUrl: 'https://agilereceivables.example/pay/k7Qm2VxTz9RbWc4nYdE1UgH3sLp8aJfN6qBe0ZyKu5M',
  stopUrl:
    'https://agilereceivables.example/pay/k7Qm2VxTz9RbWc4nYdE1UgH3sLp8aJfN6qBe0ZyKu5M/stop?by=mail',
}

/** Days after the due date, as the default schedule has them. */
const lateByTone = { friendly: 0, firm: 7, final: 30 } as const

const originals = tones.map((tone) => ({
  id: `reminder-${tone}`,
  message: {
    ...originalTemplates[tone],
    data: { ...data, tone, today: addDays(invoice.dueDate, lateByTone[tone]) },
  },
}))

const { firm } = originalTemplates
const several = [
  invoice,
  { ...invoice, number: 'AD-1214', dueDate: day('2026-11-18'), reference: null, open: 28_500 },
  { ...invoice, number: 'AD-1221', currency: 'eur', dueDate: day('2026-12-01'), open: 12_000 },
]
const many = Array.from({ length: 500 }, (_, index) => ({
  ...invoice,
  number: `AD-${1000 + index}`,
}))
const inColor = (color: string | null) => ({
  ...data.sender,
  logo: null,
  shades: { light: shadesOf(color, 'light'), dark: shadesOf(color, 'dark') },
})

export const sampleReminders: readonly Sample<SampleReminder>[] = [
  ...originals,
  {
    id: 'thanks-for-a-payment',
    message: {
      ...originalTemplates.thanks,
      data: { ...data, tone: 'thanks', today: day('2026-11-21') },
    },
  },
  {
    id: 'reminder-of-three-invoices',
    message: { ...firm, data: { ...data, receivables: several } },
  },
  { id: 'reminder-of-500-invoices', message: { ...firm, data: { ...data, receivables: many } } },
  {
    id: 'reminder-in-a-pale-color',
    message: { ...firm, data: { ...data, sender: inColor('#FFE066') } },
  },
  {
    id: 'reminder-without-a-brand',
    message: { ...firm, data: { ...data, sender: inColor(null) } },
  },
  {
    id: 'reminder-from-right-to-left',
    message: {
      mail: {
        subject: 'فاتورة {invoices}: {amount}',
        body: 'مرحبا {client}،\n\nالمبلغ المستحق {amount}. يرجى الدفع هذا الأسبوع.',
      },
      text: { subject: null, body: 'المبلغ {amount}: {link}' },
      data,
    },
  },
]
