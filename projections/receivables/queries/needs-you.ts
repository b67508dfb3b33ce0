import { z } from 'zod'
import { toMajorUnits } from '#contracts/currency'
import { formatMoney } from '#contracts/format-money'
import { daysOverdueOf } from '#contracts/receivables/invoice-status'
import type { NeedsYou } from '#contracts/receivables/overview'
import { schemaOf } from '#projections/engine/read-model'
import type { Day } from '#services/finance/calendar'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import { messageRow } from '../message-rows.ts'
import { clientRow, receivableRow } from '../rows.ts'
import { largestSum } from './largest-sum.ts'
import { shown } from './listed-invoice.ts'
import { onItsWay } from './on-its-way.ts'

const schema = schemaOf(receivables)

/** Rows that the overview shows. */
const maxRows = 50
/** Rows that are counted at most, by kind. */
const maxCounted = 1_000

const days = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const on = (day: string) => days.format(new Date(day))
const money = (minor: number, currency: string) =>
  formatMoney(toMajorUnits(minor, currency), currency)

const invoiceRow = receivableRow.pick({
  receivable_id: true,
  client_id: true,
  client_name: true,
  number: true,
  due_date: true,
  open_minor: true,
  currency: true,
  is_disputed: true,
  dispute_text: true,
  disputed_by: true,
  promised_by: true,
})
const bouncedRow = clientRow
  .pick({
    client_id: true,
    name: true,
    email: true,
    phone: true,
    may_text: true,
    mail_bounced: true,
    text_bounced: true,
  })
  .extend({ oldest_due: z.string(), open: z.record(z.string(), z.int()) })
const unknownRow = messageRow
  .pick({ message_id: true, client_id: true, channel: true, tone: true, day: true })
  .extend({
    client_name: z.string(),
    receivable_id: z.string(),
    number: z.string(),
    currency: z.string(),
    due_date: z.string(),
    open: integerColumn,
    invoices: integerColumn,
  })
const creditRow = clientRow.pick({ client_id: true, name: true, credits: true })

/**
 * What needs the merchant today: broken promises, disputes, addresses that bounced, messages that
 * may not have arrived, and credits that nothing has used or that owe a refund. A row leaves when
 * its cause does.
 */
export async function needsYou(
  db: Queryable,
  merchantId: string,
  today: Day,
): Promise<{ readonly rows: NeedsYou[]; readonly total: number }> {
  const [invoices, bounced, unknown, clients] = await Promise.all([
    allRows(
      db,
      invoiceRow,
      `SELECT ${Object.keys(invoiceRow.shape).join(', ')} FROM ${schema}.receivable
       WHERE merchant_id = $1 AND has_agreement AND (is_disputed OR promised_by < $2)
         AND (is_disputed OR receivable_id <> ALL (${onItsWay('$1')}))
       ORDER BY due_date, receivable_id LIMIT ${maxCounted}`,
      [merchantId, today],
    ),
    allRows(
      db,
      bouncedRow,
      `SELECT client_id, c.name, c.email, c.phone, c.may_text, c.mail_bounced, c.text_bounced,
         s.oldest_due, s.open
       FROM ${schema}.client c JOIN ${schema}.client_standing s USING (client_id)
       WHERE c.merchant_id = $1 AND (c.mail_bounced OR c.text_bounced) AND s.open_count > 0
       ORDER BY s.oldest_due, client_id LIMIT ${maxCounted}`,
      [merchantId],
    ),
    allRows(
      db,
      unknownRow,
      `SELECT m.message_id, m.client_id, m.channel, m.tone, m.day, r.*
       FROM ${schema}.message m
       CROSS JOIN LATERAL (
         SELECT client_name, receivable_id, number, currency, due_date,
           sum(open_minor) OVER (PARTITION BY currency) AS open, count(*) OVER () AS invoices
         FROM ${schema}.receivable
         WHERE receivable_id = ANY (m.receivable_ids) AND state = 'open' AND client_name <> $2
         ORDER BY due_date, receivable_id LIMIT 1
       ) AS r
       WHERE m.merchant_id = $1 AND m.needs_you
       ORDER BY m.day, m.message_id LIMIT ${maxCounted}`,
      [merchantId, erasedValue],
    ),
    allRows(
      db,
      creditRow,
      `SELECT client_id, name, credits FROM ${schema}.client
       WHERE merchant_id = $1 AND has_credit ORDER BY client_id LIMIT ${maxCounted}`,
      [merchantId],
    ),
  ])
  const rows = [
    ...invoices.map((invoice) => ofInvoice(invoice, today)),
    ...bounced.map((client) => ofBounced(client, today)),
    ...unknown.map((message) => ofUnknown(message, today)),
    ...clients.flatMap(ofCredits),
  ]
  return { rows: rows.slice(0, maxRows), total: rows.length }
}

function ofInvoice(invoice: z.infer<typeof invoiceRow>, today: Day): NeedsYou {
  const { currency, open_minor, due_date, promised_by, is_disputed } = invoice
  const open = money(open_minor, currency)
  return {
    kind: is_disputed ? 'disputed' : 'promise-broken',
    clientId: invoice.client_id,
    clientName: shown(invoice.client_name),
    receivableId: invoice.receivable_id,
    number: invoice.number,
    sentence: is_disputed
      ? ofDispute(invoice)
      : `Promised to pay by ${on(promised_by ?? today)}. ${open} is still open.`,
    amount: open_minor,
    currency,
    daysOverdue: daysOverdueOf(due_date, today),
  }
}

function ofDispute({
  disputed_by,
  dispute_text,
  open_minor,
  currency,
}: z.infer<typeof invoiceRow>): string {
  const said = dispute_text === null ? null : shortened(shown(dispute_text))
  // What the provider says names the payment, and not a quarrel with the merchant.
  if (disputed_by === 'bank')
    return `${said ?? 'The client disputed the payment at its bank'}. The bank took the payment back, and ${money(open_minor, currency)} is open. Answer in your account at the payment provider. Reminders wait until the bank decides or you end the dispute.`
  return `Disputes the invoice${said === null ? '' : `: “${said}”`}. Its reminders wait until you end the dispute.`
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replace(/[.!]$/, '')
  return line.length > 160 ? `${[...line].slice(0, 159).join('')}…` : line
}

function ofBounced(client: z.infer<typeof bouncedRow>, today: Day): NeedsYou {
  const { mail_bounced, text_bounced, email, phone, may_text, open } = client
  const [currency, amount] = largestSum(open)
  const isReached = mail_bounced ? phone !== null && may_text && !text_bounced : email !== null
  const refused =
    mail_bounced && text_bounced
      ? `${email} and ${phone} refused messages for good.`
      : `${mail_bounced ? email : phone} refused messages for good.`
  const left = mail_bounced ? 'Texts are left.' : 'E-mails are left.'
  return {
    kind: 'bounced',
    clientId: client.client_id,
    clientName: shown(client.name),
    receivableId: null,
    number: null,
    sentence: `${refused} ${isReached ? left : 'Nothing else reaches the client.'} Correct the address.`,
    amount,
    currency,
    daysOverdue: daysOverdueOf(client.oldest_due, today),
  }
}

function ofUnknown(message: z.infer<typeof unknownRow>, today: Day): NeedsYou {
  const name = `${message.tone} ${message.channel === 'mail' ? 'e-mail' : 'text'}`
  const isOne = message.invoices === 1
  return {
    kind: 'unknown',
    clientId: message.client_id,
    clientName: shown(message.client_name),
    receivableId: isOne ? message.receivable_id : null,
    number: isOne ? message.number : null,
    messageId: message.message_id,
    sentence: `It is not known whether the ${name} of ${on(message.day)} arrived, and nothing repeats it. Call the client, or send a message now.`,
    amount: message.open,
    currency: message.currency,
    daysOverdue: daysOverdueOf(message.due_date, today),
  }
}

function ofCredits({ client_id, name, credits }: z.infer<typeof creditRow>): readonly NeedsYou[] {
  const of = { clientId: client_id, clientName: shown(name), receivableId: null, number: null }
  const owed = Object.values(credits).flatMap(({ currency, short = 0 }): readonly NeedsYou[] =>
    short === 0
      ? []
      : [
          {
            kind: 'credit-owed',
            ...of,
            sentence: `Got a refund of money that had paid another invoice. ${money(short, currency)} is missing: take the credit back from that invoice, or ask the client for it.`,
            amount: short,
            currency,
            daysOverdue: null,
          },
        ],
  )
  const left = Object.values(credits)
    .filter((credit) => credit.left > 0)
    .map(({ currency, left }): NeedsYou => ({
      kind: 'credit',
      ...of,
      sentence: `Paid more than was open. ${money(left, currency)} can pay another invoice, or go back to the client.`,
      amount: left,
      currency,
      daysOverdue: null,
    }))
  return [...owed, ...left]
}
