import { describe, expect, it } from '@jest/globals'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { strToU8 } from 'fflate'
import { refusedCsv } from '../../../../web/features/receivables/import/check/refused-csv.ts'
import { cellText } from '../../../../web/features/receivables/import/file/file-row.ts'
import type { Choices } from '../../../../web/features/receivables/import/table/remembered-choices.ts'
import { readImportFile } from '../../../support/receivables/import-files/read-file.ts'
import { workbookFile } from '../../../support/receivables/import-files/workbook.ts'

type Given = Parameters<typeof readImportFile>[1]

const lines = (rows: readonly (readonly string[])[]) =>
  strToU8(rows.map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\n'))

const checkedFile = async (bytes: Uint8Array, given?: Given) => {
  const { table, checked } = await readImportFile(bytes, given)
  if (checked.kind !== 'checked') throw new Error(`The file is ${checked.kind}.`)
  return { table, ...checked }
}

/** A file with one column of due dates, or of amounts. */
const withDates = (dates: readonly string[]) =>
  lines([
    ['No', 'Client', 'Due', 'Total'],
    ...dates.map((date, index) => [`${index}`, 'A', date, '5']),
  ])
const withAmounts = (amounts: readonly string[], currency = 'USD') =>
  lines([
    ['No', 'Client', 'Due', 'Total', 'Currency'],
    ...amounts.map((amount, index) => [`${index}`, 'A', '2026-12-01', amount, currency]),
  ])

async function questionOf(bytes: Uint8Array) {
  const { checked } = await readImportFile(bytes)
  return checked.kind === 'asking' ? checked.questions[0] : null
}

const dueDates = async (dates: readonly string[], order?: 'month-first' | 'day-first') => {
  const answers: Partial<Choices> = order === undefined ? {} : { dayOrders: { dueDate: order } }
  const { rows, refused } = await checkedFile(withDates(dates), { answers })
  return [...rows.map(({ invoice }) => invoice.dueDate), ...refused.map(({ reason }) => reason)]
}

describe('a column of dates', () => {
  it('that can be read in two ways is asked once', async () => {
    expect(await questionOf(withDates(['12/10/2026', '01/10/2027', '2/2/2027']))).toEqual({
      kind: 'dates',
      target: 'dueDate',
      value: '12/10/2026',
      ambiguous: 2,
      values: 3,
      contradiction: null,
      readings: [
        {
          choice: 'month-first',
          label: 'Month first',
          example: '12/10/2026 is Dec\u00a010,\u00a02026',
        },
        {
          choice: 'day-first',
          label: 'Day first',
          example: '12/10/2026 is Oct\u00a012,\u00a02026',
        },
      ],
      answer: null,
    })
  })

  it('is read as the merchant answers', async () => {
    expect(await dueDates(['12/10/2026'], 'month-first')).toEqual(['2026-12-10'])
    expect(await dueDates(['12/10/2026'], 'day-first')).toEqual(['2026-10-12'])
  })

  it('is settled by one row', async () => {
    expect(await dueDates(['12/10/2026', '13/10/2026'])).toEqual(['2026-10-12', '2026-10-13'])
    expect(await dueDates(['12/10/2026', '10/13/2026'])).toEqual(['2026-12-10', '2026-10-13'])
  })

  it('that changes its meaning is asked, and the rows that do not fit are refused', async () => {
    const dates = ['12/10/2026', '10/13/2026', '13/10/2026']
    expect(await questionOf(withDates(dates))).toMatchObject({
      value: '12/10/2026',
      contradiction:
        'Row 3 has 10/13/2026, which has the month first. Row 4 has 13/10/2026, which has the day first.',
    })
    expect(await dueDates(dates, 'month-first')).toEqual([
      '2026-12-10',
      '2026-10-13',
      'There is no month 13.',
    ])
    expect(await dueDates(dates, 'day-first')).toEqual([
      '2026-10-12',
      '2026-10-13',
      'There is no month 13.',
    ])
  })

  it('of which a spreadsheet exchanged days and months has a warning', async () => {
    const bytes = workbookFile({
      sheets: [
        {
          name: 'A',
          rows: [
            ['No', 'Client', 'Due', 'Total'],
            ['1', 'A', { serial: 46_000 }, 5],
            ['2', 'A', '13/10/2026', 5],
          ],
        },
      ],
    })
    expect((await checkedFile(bytes)).warnings).toEqual([
      'The column Due has dates, such as in row 2, and texts, such as 13/10/2026 in row 3. A spreadsheet program may have exchanged days and months. Compare the dates with the invoices.',
    ])
  })

  const day = fc.date({
    min: new Date('2000-01-01T00:00:00Z'),
    max: new Date('2099-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  const parts = (date: Date) => ({
    d: date.getUTCDate(),
    m: date.getUTCMonth() + 1,
    y: date.getUTCFullYear(),
  })
  const two = (number: number) => String(number).padStart(2, '0')
  const forms = {
    'month-first': [
      ({ d, m, y }: ReturnType<typeof parts>) => `${m}/${d}/${y}`,
      ({ d, m, y }: ReturnType<typeof parts>) => `${two(m)}-${two(d)}-${two(y % 100)}`,
    ],
    'day-first': [
      ({ d, m, y }: ReturnType<typeof parts>) => `${d}.${m}.${two(y % 100)}`,
      ({ d, m, y }: ReturnType<typeof parts>) => `${two(d)}/${two(m)}/${y}`,
    ],
  }

  it('is read back whatever its days are, if one row settles the order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(day, { minLength: 1, maxLength: 12 }),
        fc.constantFrom('month-first' as const, 'day-first' as const),
        fc.nat({ max: 1 }),
        async (days, order, form) => {
          const settling = new Date('2026-05-31T00:00:00Z')
          const write = forms[order][form]
          if (write === undefined) throw new RangeError('No form.')
          const all = [...days, settling]
          expect(await dueDates(all.map((each) => write(parts(each))))).toEqual(
            all.map((each) => each.toISOString().slice(0, 10)),
          )
        },
      ),
    )
  })
})

describe('a column of amounts', () => {
  const minor = async (amounts: readonly string[], currency?: string, sign?: 'point' | 'comma') => {
    const answers: Partial<Choices> = sign === undefined ? {} : { decimalSigns: { amount: sign } }
    const { rows, refused } = await checkedFile(withAmounts(amounts, currency), { answers })
    return [...rows.map(({ invoice }) => invoice.amount), ...refused.map(({ reason }) => reason)]
  }

  it('that can be read in two ways is asked once', async () => {
    expect(await questionOf(withAmounts(['1.234', '500']))).toEqual({
      kind: 'amounts',
      target: 'amount',
      value: '1.234',
      ambiguous: 1,
      values: 2,
      contradiction: null,
      readings: [
        { choice: 'point', label: 'Decimal point', example: '1.234 is 1.234' },
        { choice: 'comma', label: 'Decimal comma', example: '1.234 is 1,234' },
      ],
      answer: null,
    })
    expect(await minor(['1.234', '500'], 'USD', 'comma')).toEqual([123_400, 50_000])
    expect(await minor(['1.234', '500'], 'USD', 'point')).toEqual([
      50_000,
      '1.234 has more decimals than USD, which has 2.',
    ])
  })

  it('is settled by one row', async () => {
    expect(await minor(['1.234', '5,50'])).toEqual([123_400, 550])
    expect(await minor(['1.230', '5.50'])).toEqual([123, 550])
  })

  it('with commas before three digits has thousands, but not in a currency of three decimals', async () => {
    expect(await minor(['1,234', '500'])).toEqual([123_400, 50_000])
    expect(await questionOf(withAmounts(['1,234', '500'], 'KWD'))).toMatchObject({
      value: '1,234',
      readings: [{ example: '1,234 is 1,234' }, { example: '1,234 is 1.234' }],
    })
  })

  it('that changes its meaning is asked, and the rows that do not fit are refused', async () => {
    const amounts = ['1,234.50', '1.234,50']
    expect(await questionOf(withAmounts(amounts))).toMatchObject({
      contradiction:
        'Row 2 has 1,234.50, with a decimal point. Row 3 has 1.234,50, with a decimal comma.',
    })
    expect(await minor(amounts, 'USD', 'point')).toEqual([
      123_450,
      '“1.234,50” is no amount with a decimal point.',
    ])
  })
})

describe('a row', () => {
  const header = [
    'No',
    'Client',
    'Issued',
    'Due',
    'Terms',
    'Total',
    'Balance',
    'Currency',
    'Status',
    'Text consent',
    'Consent date',
    'Link',
  ]
  const usual = { No: '1', Client: 'Alder', Due: '2026-12-01', Total: '100' }
  const outcome = async (cells: Readonly<Record<string, string>>) => {
    const row = { ...usual, ...cells }
    const values = header.map(
      (name) => Object.entries(row).find(([key]) => key === name)?.[1] ?? '',
    )
    const { rows, refused } = await checkedFile(lines([header, values]))
    return refused[0]?.reason ?? rows[0]
  }

  it.each([
    [{ Client: '' }, 'No client.'],
    [{ Client: 'Alder\n2,Birch' }, 'The client has several lines. Write it in one line.'],
    [{ Due: '' }, 'No due date.'],
    [{ Total: '' }, 'No amount.'],
    [{ Total: 'free' }, '“free” is no amount.'],
    [{ Total: '-5' }, 'The amount is negative. Record it as a credit of the client.'],
    [{ Total: '2000000000' }, 'The largest amount of an invoice is $1,000,000,000.00.'],
    [{ Total: '$5', Currency: 'EUR' }, 'The row has two currencies, EUR and USD.'],
    [{ Total: '5 kr' }, '“kr” is no currency.'],
    [{ Currency: 'Dollars' }, '“Dollars” is no currency. Write a code such as USD.'],
    [{ Due: '', Terms: 'Net 30' }, 'No issue date, from which the terms count.'],
    [
      { Due: '', Terms: 'Custom', Issued: '2026-11-01' },
      'The terms “Custom” are not known. Enter a due date.',
    ],
    [{ Issued: '2026-02-30' }, 'Feb 30 does not exist.'],
    [{ Status: 'Voided' }, 'The status is Voided, so the invoice is not owed.'],
    [{ Status: 'Paid', Balance: '5' }, 'The status is Paid, but the open amount is $5.00.'],
    [{ Status: 'Partial' }, 'The status is Partial, but the row has no open amount.'],
    [{ No: 'x'.repeat(61) }, 'Invoice number has 60 characters at most.'],
    [{ No: 'a\u202eb' }, 'Invoice number contains characters that cannot be shown.'],
    [{ Client: 'x'.repeat(201) }, 'Name has 200 characters at most.'],
  ])('with %j is refused', async (cells, sentence) => {
    expect(await outcome(cells)).toBe(sentence)
  })

  it.each([
    [{ Due: '', Terms: '2/10 Net 30', Issued: '2026-11-01' }, { dueDate: '2026-12-01' }],
    [{ Status: 'Paid' }, { openAmount: 0 }],
    [{ Balance: '$ -' }, { openAmount: 0 }],
    [{ Total: '1.234,50 €' }, { currency: 'eur', amount: 123_450 }],
    [
      { Total: '1234', Currency: 'jpy' },
      { currency: 'jpy', amount: 1_234 },
    ],
    [
      { Total: '1.2345', Currency: 'kwd', Status: '' },
      '1.2345 has more decimals than KWD, which has 3.',
    ],
    [
      { 'Text consent': 'Form', 'Consent date': '2026-01-05' },
      { textConsent: { source: 'Form', date: '2026-01-05' } },
    ],
  ])('with %j is %j', async (cells, expected) => {
    const result = await outcome(cells)
    expect(typeof result === 'string' ? result : result?.invoice).toEqual(
      typeof expected === 'string' ? expected : expect.objectContaining(expected),
    )
  })

  it.each([
    [{ 'Text consent': 'Form' }, 'The consent to texts is left out: it needs a source and a date.'],
    [{ Link: 'http://example.com' }, 'The link “http://example.com” is left out.'],
  ])('with %j is imported with a note', async (cells, note) => {
    expect(await outcome(cells)).toMatchObject({ notes: [note] })
  })
})

describe('the currency', () => {
  const currencies = async (header: readonly string[], values: readonly string[]) => {
    const bytes = lines([
      ['No', 'Client', 'Due', ...header],
      ['1', 'Alder', '2026-12-01', ...values],
    ])
    const { rows, refused } = await checkedFile(bytes, { currency: 'cad' })
    return refused[0]?.reason ?? rows[0]?.invoice.currency
  }

  it.each([
    [['Total'], ['5'], 'cad'],
    [['Total'], ['$5'], 'cad'],
    [['Total'], ['€5'], 'eur'],
    [['Total (EUR)'], ['5'], 'eur'],
    [['Total EUR'], ['5'], 'eur'],
    [['Total €'], ['5'], 'eur'],
    [['Total ($)'], ['5'], 'cad'],
    [['Total (net)'], ['5'], 'cad'],
    [['Total (EUR)'], ['$5'], 'cad'],
    [['Total (EUR)', 'Balance (USD)'], ['5', '5'], 'The row has two currencies, EUR and USD.'],
    [['Total', 'Currency'], ['5', 'GBP'], 'gbp'],
    [['Total ($)', 'Currency'], ['5', 'USD'], 'usd'],
    [['Total (EUR)', 'Currency'], ['5', 'USD'], 'The row has two currencies, USD and EUR.'],
  ])('of %j with %j is %s', async (header, values, expected) => {
    expect(await currencies(header, values)).toBe(expected)
  })
})

describe('a workbook made by hand', () => {
  it('whose invoice number became a date has a sentence about it', async () => {
    const bytes = workbookFile({
      sheets: [
        {
          name: 'A',
          rows: [
            ['No', 'Client', 'Due', 'Total'],
            [{ serial: 46_000 }, 'Alder', '2026-12-01', 5],
          ],
        },
      ],
    })
    expect((await checkedFile(bytes)).refused).toMatchObject([
      {
        reason:
          'The invoice number is a date, 2025-12-09. A spreadsheet program may have changed it.',
      },
    ])
  })

  const rows = [
    ['Open invoices', null, null, null, null],
    [],
    ['Client', 'Invoice', null, 'Amount', 'Open'],
    [null, 'No', 'Due', null, null],
    ['Alder Dental', 1041, { serial: 46_003 }, 1234.5, '($45.00)'],
    [null, 1042, '3 April 2026', '$1,234.50', 0.1 + 0.2],
    ['Birch LLC', 'B-7', 46_003, 45, null],
    [null, null, null, 2514, null],
    ['Total', null, null, { xml: '<f>SUM(D5:D7)</f><v>2514</v>' }, null],
  ]
  const workbook = (date1904?: string) =>
    workbookFile({
      sheets: [{ name: 'Nov', rows, merged: ['A1:E1', 'A3:A4', 'B3:C3', 'A5:A6'] }],
      ...(date1904 ? { date1904 } : {}),
    })

  it('has titles, a header of two lines, merged clients and totals', async () => {
    const { table, rows: found, refused, leftOut } = await checkedFile(workbook())
    expect(table.headerRow).toBe(4)
    expect(table.columns.map(({ name }) => name)).toEqual([
      'Client',
      'Invoice No',
      'Due',
      'Amount',
      'Open',
    ])
    expect(
      found.map(({ invoice: { row, number, client, dueDate, amount, openAmount } }) => [
        row,
        number,
        client.name,
        dueDate,
        amount,
        openAmount,
      ]),
    ).toEqual([
      [6, '1042', 'Alder Dental', '2026-04-03', 123_450, 30],
      [7, 'B-7', 'Birch LLC', '2025-12-12', 4_500, null],
    ])
    expect(refused).toMatchObject([
      {
        row: 5,
        target: 'openAmount',
        reason: 'The open amount is negative. Record it as a credit of the client.',
      },
    ])
    expect(leftOut).toEqual([
      { row: 8, why: 'total' },
      { row: 9, why: 'total' },
    ])
  })

  it('with 1904 dates has them also where a number has no format', async () => {
    const { rows: found } = await checkedFile(workbook('1'))
    expect(found.at(-1)?.invoice.dueDate).toBe('2029-12-13')
  })
})

describe('refused rows', () => {
  const file = lines([
    ['No', 'Client', 'Due', 'Total', 'Phone'],
    ['1', 'Alder', 'soon', '-5.00', '+1 541 555 0171'],
    ['', '=cmd|calc', '2026-12-01', '5', ''],
  ])

  it('as CSV run no formula, and can be imported again', async () => {
    const { table, refused } = await checkedFile(file)
    const cellsOf = new Map(table.rows.map(({ row, cells }) => [row, cells.map(cellText)]))
    const csv = refusedCsv(
      table,
      refused.map(({ row, reason }) => ({ row, reason, cells: cellsOf.get(row) ?? [] })),
    )
    expect(parse(csv, { bom: true })).toEqual([
      ['Row', 'Why', 'No', 'Client', 'Due', 'Total', 'Phone'],
      ['2', '“soon” is no date.', '1', 'Alder', 'soon', '-5.00', "'+1 541 555 0171"],
      ['3', 'No invoice number.', '', "'=cmd|calc", '2026-12-01', '5', ''],
    ])
    const again = await checkedFile(
      strToU8(csv.replaceAll('soon', '2026-12-01').replace('-5.00', '5.00')),
    )
    expect(again.rows).toMatchObject([
      { invoice: { number: '1', amount: 500, client: { phone: '+1 541 555 0171' } }, notes: [] },
    ])
  })
})
