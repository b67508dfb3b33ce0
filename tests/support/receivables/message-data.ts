import fc from 'fast-check'
import { shadesOf } from '#contracts/receivables/brand-color'
import { addDays, dayOfNumber, parseDay, type Day } from '#services/finance/calendar'
import type { MessageData, OpenReceivable } from '#services/receivables/messages/message-data'

/* Messages of the merchant of the drawn screens, and arbitrary ones. */

export function aDay(text: string): Day {
  const day = parseDay(text)
  if (day === null) throw new Error(`${text} is no day.`)
  return day
}

const shades = { light: shadesOf('#3B4A9B', 'light'), dark: shadesOf('#3B4A9B', 'dark') }

export const invoice: OpenReceivable = {
  number: 'AD-1187',
  currency: 'usd',
  issueDate: aDay('2026-10-14'),
  dueDate: aDay('2026-11-13'),
  reference: 'Plan 2 of 3',
  amount: 124_000,
  open: 84_000,
}

export const data: MessageData = {
  sender: {
    name: 'Alder Dental',
    logo: { url: 'https://agilereceivables.example/logo', width: 300, height: 100 },
    shades,
    replyTo: 'front@alderdental.example',
    address: ['1140 Alder Street, Suite 3', 'Eugene, OR 97401'],
  },
  tone: 'firm',
  clientName: 'Grace Whitaker',
  today: aDay('2026-11-20'),
  receivables: [invoice],
  portalUrl: 'https://agilereceivables.example/pay/k7Qm2VxTz9RbWc4nYdE1UgH3sLp8aJfN6qBe0ZyKu5M',
  stopUrl:
    'https://agilereceivables.example/pay/k7Qm2VxTz9RbWc4nYdE1UgH3sLp8aJfN6qBe0ZyKu5M/stop?by=mail',
}

/** Any text, often with markup, line breaks, variables, other scripts and emoji. */
export const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom(
        '<b>',
        '"><script>',
        '&',
        '\r\nBcc: x@evil.example',
        '\n',
        '{client}',
        '{company}',
        '{invoices}',
        '{is}',
        '{amount}',
        '{due date}',
        '{days late}',
        '{link}',
        '{',
        'شركة الأسنان',
        '王小明',
        '🦷',
        '=?utf-8?q?x?=',
        ' ',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

const anyReceivable = fc.record({
  number: fc.string({ minLength: 1, maxLength: 60 }),
  currency: fc.constantFrom('usd', 'eur', 'inr', 'jpy', 'kwd'),
  issueDate: fc.option(fc.integer({ min: 20_000, max: 21_000 }).map(dayOfNumber)),
  dueDate: fc.integer({ min: 20_000, max: 22_000 }).map(dayOfNumber),
  reference: fc.option(anyText),
  amount: fc.integer({ min: 1, max: 100_000_000_000 }),
  open: fc.integer({ min: 1, max: 100_000_000_000 }),
})

export const anyData: fc.Arbitrary<MessageData> = fc
  .record({
    name: anyText,
    clientName: anyText,
    address: fc.array(anyText, { maxLength: 4 }),
    receivables: fc.array(anyReceivable, { minLength: 1, maxLength: 40 }),
    late: fc.integer({ min: -100, max: 1_000 }),
    tone: fc.constantFrom('friendly' as const, 'firm' as const, 'final' as const),
    color: fc.option(fc.integer({ min: 0, max: 0xffffff })),
  })
  .map(({ name, address, late, color, ...rest }) => {
    const hex = color === null ? null : `#${color.toString(16).padStart(6, '0').toUpperCase()}`
    return {
      ...data,
      ...rest,
      today: addDays(invoice.dueDate, late),
      sender: {
        ...data.sender,
        name,
        address,
        shades: { light: shadesOf(hex, 'light'), dark: shadesOf(hex, 'dark') },
      },
    }
  })
