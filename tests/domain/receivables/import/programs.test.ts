import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import type { ImportRow } from '#contracts/receivables/import-rows'
import type { Choices } from '../../../../web/features/receivables/import/table/remembered-choices.ts'
import { readImportFile } from '../../../support/receivables/import-files/read-file.ts'

const fixture = (name: string) =>
  readFileSync(new URL(`../../../support/receivables/import-files/${name}`, import.meta.url))

/** The result in lines: what a merchant sees of the file. */
async function linesOf(bytes: Uint8Array, answers: Partial<Choices> = {}) {
  const { table, checked } = await readImportFile(new Uint8Array(bytes), {
    answers,
  })
  if (checked.kind !== 'checked') return checked
  return {
    header: table.headerRow,
    columns: table.columns.flatMap(({ name }, index) =>
      table.proposed[index] ? `${name}: ${table.proposed[index]}` : [],
    ),
    rows: checked.rows.map(({ invoice: each }) =>
      [
        each.row,
        each.number,
        each.client.name,
        each.issueDate,
        each.dueDate,
        each.amount,
        each.openAmount,
        each.currency,
      ].join(' · '),
    ),
    notes: checked.rows.flatMap(({ invoice, notes }) =>
      notes.map((note) => `${invoice.row}: ${note}`),
    ),
    refused: checked.refused.map(({ row, reason }) => `${row}: ${reason}`),
    leftOut: checked.leftOut.map(({ row, why }) => `${row}: ${why}`),
    questions: checked.questions,
    warnings: checked.warnings,
    sums: sumsOf(checked.rows.map(({ invoice }) => invoice)),
  }
}

/** By currency, in minor units. */
function sumsOf(invoices: readonly ImportRow[]) {
  return [...new Set(invoices.map(({ currency }) => currency))].map((currency) => {
    const ofCurrency = invoices.filter((invoice) => invoice.currency === currency)
    return {
      currency,
      count: ofCurrency.length,
      amount: ofCurrency.reduce((sum, { amount }) => sum + amount, 0),
      open: ofCurrency.reduce((sum, { amount, openAmount }) => sum + (openAmount ?? amount), 0),
    }
  })
}

describe('an export of', () => {
  it('QuickBooks Online, A/R aging detail, is imported', async () => {
    expect(await linesOf(fixture('quickbooks-online-ar-aging-detail.csv'))).toMatchInlineSnapshot(`
     {
       "columns": [
         "Date: issueDate",
         "Num: number",
         "Customer full name: client",
         "Due date: dueDate",
         "Amount: amount",
         "Open balance: openAmount",
       ],
       "header": 5,
       "leftOut": [
         "6: heading",
         "8: total",
         "9: heading",
         "12: total",
         "13: heading",
         "16: total",
         "17: total",
         "18: heading",
       ],
       "notes": [],
       "questions": [],
       "refused": [
         "11: The amount is negative. Record it as a credit of the client.",
       ],
       "rows": [
         "7 · 1001 · Ruth Calloway · 2026-07-01 · 2026-07-31 · 128450 · 128450 · usd",
         "10 · 1014 · Ostrander, Ben · 2026-09-15 · 2026-10-15 · 64200 · 14200 · usd",
         "14 · 1020 · Ivy Nakamura · 2026-11-12 · 2026-12-12 · 9500 · 9500 · usd",
         "15 · 1021 · Owen Marsh · 2026-11-14 · 2026-12-14 · 418075 · 218075 · usd",
       ],
       "sums": [
         {
           "amount": 620225,
           "count": 4,
           "currency": "usd",
           "open": 370225,
         },
       ],
       "warnings": [],
     }
    `)
  })

  it('QuickBooks Desktop, A/R aging detail, is imported with its terms', async () => {
    expect(await linesOf(fixture('quickbooks-desktop-ar-aging-detail.csv'))).toMatchInlineSnapshot(`
     {
       "columns": [
         "Date: issueDate",
         "Num: number",
         "P. O. #: reference",
         "Name: client",
         "Terms: terms",
         "Due Date: dueDate",
         "Open Balance: amount",
       ],
       "header": 1,
       "leftOut": [
         "2: heading",
         "5: total",
         "6: heading",
         "8: total",
         "9: total",
       ],
       "notes": [],
       "questions": [],
       "refused": [],
       "rows": [
         "3 · 1020 · Ivy Nakamura · 2026-11-12 · 2026-12-12 · 9500 ·  · usd",
         "4 · 1022 · Cal Dunmore · 2026-11-20 · 2026-11-20 · 41000 ·  · usd",
         "7 · 1014 · Ben Ostrander · 2026-09-15 · 2026-10-15 · 14200 ·  · usd",
       ],
       "sums": [
         {
           "amount": 64700,
           "count": 3,
           "currency": "usd",
           "open": 64700,
         },
       ],
       "warnings": [],
     }
    `)
  })

  it('QuickBooks, open invoices by customer, has the client above the rows', async () => {
    expect(await linesOf(fixture('quickbooks-open-invoices.csv'))).toMatchInlineSnapshot(`
     {
       "columns": [
         "Date: issueDate",
         "Num: number",
         "Terms: terms",
         "Due date: dueDate",
         "Open balance: amount",
         "Heading above the rows: client",
       ],
       "header": 5,
       "leftOut": [
         "6: heading",
         "9: total",
         "10: heading",
         "12: total",
         "13: total",
       ],
       "notes": [],
       "questions": [],
       "refused": [],
       "rows": [
         "7 · 1001 · Ruth Calloway · 2026-07-01 · 2026-07-31 · 128450 ·  · usd",
         "8 · 1019 · Ruth Calloway · 2026-11-12 · 2026-11-27 · 12000 ·  · usd",
         "11 · 1021 · Current Events LLC · 2026-11-14 · 2026-12-14 · 218075 ·  · usd",
       ],
       "sums": [
         {
           "amount": 358525,
           "count": 3,
           "currency": "usd",
           "open": 358525,
         },
       ],
       "warnings": [],
     }
    `)
  })

  it('Xero has a row for each line of an invoice with the total of the invoice', async () => {
    expect(await linesOf(fixture('xero-sales-invoices.csv'))).toMatchInlineSnapshot(`
     {
       "columns": [
         "ContactName: client",
         "EmailAddress: email",
         "PORegion: state",
         "InvoiceNumber: number",
         "Reference: reference",
         "InvoiceDate: issueDate",
         "DueDate: dueDate",
         "Total: amount",
         "InvoiceAmountPaid: amountPaid",
         "InvoiceAmountDue: openAmount",
         "Currency: currency",
         "Status: status",
       ],
       "header": 1,
       "leftOut": [],
       "notes": [],
       "questions": [],
       "refused": [
         "3: Row 2 has the same client and invoice number.",
         "6: The status is Draft, so the invoice is not owed.",
       ],
       "rows": [
         "2 · INV-0101 · Ruth Calloway · 2026-11-03 · 2026-12-03 · 24000 · 24000 · usd",
         "4 · INV-0102 · Ben Ostrander · 2026-11-04 · 2026-12-04 · 9500 · 6000 · usd",
         "5 · INV-0103 · Owen Marsh · 2026-11-13 · 2026-12-13 · 50000 · 0 · eur",
       ],
       "sums": [
         {
           "amount": 33500,
           "count": 2,
           "currency": "usd",
           "open": 30000,
         },
         {
           "amount": 50000,
           "count": 1,
           "currency": "eur",
           "open": 0,
         },
       ],
       "warnings": [],
     }
    `)
  })

  it('FreshBooks has the amounts of lines, which are added', async () => {
    expect(await linesOf(fixture('freshbooks-invoice-details.csv'))).toMatchInlineSnapshot(`
     {
       "columns": [
         "Client Name: client",
         "Invoice #: number",
         "Date Issued: issueDate",
         "Date Due: dueDate",
         "Invoice Status: status",
         "Line Total: lineTotal",
         "Currency: currency",
       ],
       "header": 1,
       "leftOut": [],
       "notes": [],
       "questions": [],
       "refused": [
         "5: The status is draft, so the invoice is not owed.",
         "8: Row 9 of the same invoice is refused.",
         "9: “n/a” is no amount.",
       ],
       "rows": [
         "2 · 0000301 · Ruth Calloway · 2026-11-02 · 2026-12-02 · 24050 ·  · usd",
         "4 · 0000302 · Ben Ostrander · 2026-10-01 · 2026-10-31 · 9500 · 0 · usd",
         "6 · 0000304 · Owen Marsh · 2026-11-06 · 2026-12-06 · 85000 ·  · cad",
       ],
       "sums": [
         {
           "amount": 33550,
           "count": 2,
           "currency": "usd",
           "open": 24050,
         },
         {
           "amount": 85000,
           "count": 1,
           "currency": "cad",
           "open": 85000,
         },
       ],
       "warnings": [],
     }
    `)
  })

  it('Stripe is imported', async () => {
    expect(await linesOf(fixture('stripe-invoices.csv'))).toMatchInlineSnapshot(`
     {
       "columns": [
         "Amount Due: openAmount",
         "Currency: currency",
         "Date (UTC): issueDate",
         "Due Date (UTC): dueDate",
         "Number: number",
         "Total: amount",
         "Amount Paid: amountPaid",
         "Status: status",
         "Customer Email: email",
         "Customer Name: client",
         "Hosted Invoice URL: url",
       ],
       "header": 1,
       "leftOut": [],
       "notes": [],
       "questions": [],
       "refused": [
         "5: The status is void, so the invoice is not owed.",
       ],
       "rows": [
         "2 · A1B2C3D4-0001 · Ruth Calloway · 2026-11-05 · 2026-12-05 · 4900 · 4900 · usd",
         "3 · A1B2C3D4-0002 · Ben Ostrander · 2026-11-06 · 2026-12-06 · 24000 · 0 · usd",
         "4 · A1B2C3D4-0003 · Ivy Nakamura · 2026-11-07 · 2026-12-07 · 8000 · 5000 · eur",
       ],
       "sums": [
         {
           "amount": 28900,
           "count": 2,
           "currency": "usd",
           "open": 4900,
         },
         {
           "amount": 8000,
           "count": 1,
           "currency": "eur",
           "open": 5000,
         },
       ],
       "warnings": [],
     }
    `)
  })

  it('Wave is imported', async () => {
    expect(await linesOf(fixture('wave-invoices.csv'))).toMatchInlineSnapshot(`
     {
       "columns": [
         "Invoice number: number",
         "Customer: client",
         "Customer email: email",
         "Invoice date: issueDate",
         "Due date: dueDate",
         "Status: status",
         "Total: amount",
         "Amount paid: amountPaid",
         "Amount due: openAmount",
         "Currency: currency",
       ],
       "header": 1,
       "leftOut": [],
       "notes": [],
       "questions": [],
       "refused": [],
       "rows": [
         "2 · 204 · Ruth Calloway · 2026-11-02 · 2026-12-02 · 128450 · 128450 · usd",
         "3 · 205 · Ben Ostrander · 2026-10-01 · 2026-10-31 · 9500 · 6000 · usd",
         "4 · 206 · Ivy Nakamura · 2026-10-01 · 2026-10-31 · 9500 · 0 · usd",
       ],
       "sums": [
         {
           "amount": 147450,
           "count": 3,
           "currency": "usd",
           "open": 134450,
         },
       ],
       "warnings": [],
     }
    `)
  })
})

describe('a sheet made by hand', () => {
  it('with semicolons, two lines of header and dates with points is imported', async () => {
    expect(await linesOf(fixture('handmade-semicolons.csv'))).toMatchInlineSnapshot(`
     {
       "columns": [
         "Invoice No: number",
         "Invoice Date: issueDate",
         "Client: client",
         "Due: dueDate",
         "Amount €: amount",
         "Open €: openAmount",
       ],
       "header": 4,
       "leftOut": [
         "8: total",
       ],
       "notes": [],
       "questions": [],
       "refused": [],
       "rows": [
         "5 · R-1 · Müller GmbH · 2026-11-03 · 2026-12-03 · 123450 · 123450 · eur",
         "6 · R-2 · Café Noël · 2026-11-04 · 2026-12-04 · 4500 · 2000 · eur",
         "7 · R-3 · Sàrl Été · 2026-11-15 · 2026-12-15 · 118000 · 118000 · eur",
       ],
       "sums": [
         {
           "amount": 245950,
           "count": 3,
           "currency": "eur",
           "open": 243450,
         },
       ],
       "warnings": [],
     }
    `)
  })

  it('with wrong rows has a sentence for each', async () => {
    const answers = { dayOrders: { dueDate: 'month-first' } } as const
    expect(await linesOf(fixture('merchant-plan.csv'), answers)).toMatchInlineSnapshot(`
     {
       "columns": [
         "Inv No: number",
         "Account: client",
         "Due Date: dueDate",
         "Total: amount",
         "Balance: openAmount",
         "Email: email",
         "Mobile: phone",
         "St: state",
         "Memo: reference",
       ],
       "header": 1,
       "leftOut": [],
       "notes": [
         "4: The phone number “555 CALL NOW” is left out.",
         "4: The state “Ontario” is left out.",
       ],
       "questions": [
         {
           "ambiguous": 9,
           "answer": "month-first",
           "contradiction": null,
           "kind": "dates",
           "readings": [
             {
               "choice": "month-first",
               "example": "12/10/2026 is Dec 10, 2026",
               "label": "Month first",
             },
             {
               "choice": "day-first",
               "example": "12/10/2026 is Oct 12, 2026",
               "label": "Day first",
             },
           ],
           "target": "dueDate",
           "value": "12/10/2026",
           "values": 11,
         },
       ],
       "refused": [
         "5: Feb 30 does not exist.",
         "6: No invoice number.",
         "7: The open amount is negative. Record it as a credit of the client.",
         "8: Row 2 has the same client and invoice number.",
         "9: Row 3 has the same client and invoice number, with other values.",
         "10: The amount is 0, so nothing is owed.",
         "11: The open amount $80.00 is larger than the amount $50.00.",
         "12: “soon” is no date.",
       ],
       "rows": [
         "2 · PL-3107 · Ruth Calloway ·  · 2026-12-10 · 18000 · 18000 · usd",
         "3 · PL-3108 · Ben Ostrander ·  · 2027-01-10 · 9500 · 9500 · usd",
         "4 · PL-3109 · Ivy Nakamura ·  · 2027-02-10 · 24000 · 12000 · usd",
       ],
       "sums": [
         {
           "amount": 51500,
           "count": 3,
           "currency": "usd",
           "open": 39500,
         },
       ],
       "warnings": [],
     }
    `)
  })
})
