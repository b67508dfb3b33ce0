import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { deflateSync } from 'node:zlib'
import { extractText, getDocumentProxy, getMeta } from 'unpdf'
import { renderStatement } from '#services/receivables/statement/render-statement'
import type { StatementFile } from '#services/receivables/statement/statement-files'
import { maxLines, statementText } from '#services/receivables/statement/statement-text'

type Part = StatementFile['parts'][number]
type Line = Part['lines'][number]

const line = (number: string, change: number, balance: number, over: Partial<Line> = {}): Line => ({
  day: '2026-11-17',
  kind: change < 0 ? 'payment' : 'invoice',
  receivableId: `receivable_${number}`,
  number,
  text: change < 0 ? 'Payment by check' : 'Invoice',
  paymentId: change < 0 ? 'payment_1' : null,
  change,
  balance,
  ...over,
})

const part = (over: Partial<Part> = {}): Part => ({
  currency: 'usd',
  opening: 10_000,
  lines: [line('AD-1187', 124_000, 134_000), line('AD-1187', -40_000, 94_000)],
  closing: 94_000,
  overdue: 84_000,
  openInvoices: [
    {
      receivableId: 'receivable_1',
      number: 'AD-1187',
      reference: 'Plan 2 of 3',
      issueDate: '2026-10-14',
      dueDate: '2026-11-13',
      daysOverdue: 12,
      amount: 124_000,
      open: 84_000,
    },
    {
      receivableId: 'receivable_2',
      number: 'AD-1100',
      reference: null,
      issueDate: null,
      dueDate: '2026-12-01',
      daysOverdue: -6,
      amount: 10_000,
      open: 10_000,
    },
  ],
  ...over,
})

const statement = (over: Partial<StatementFile> = {}): StatementFile => ({
  from: '2025-11-25',
  asOf: '2026-11-25',
  merchant: {
    name: 'Alder Dental',
    address: ['1140 Alder Street, Suite 3', 'Eugene, OR 97401'],
    email: 'front@alderdental.example',
    phone: '(541) 555-0162',
    logo: null,
  },
  client: { name: 'Grace Whitaker', number: '4711' },
  parts: [part()],
  ...over,
})

async function pagesOf(given: StatementFile): Promise<string[]> {
  const file = new Uint8Array(await renderStatement(given))
  const { text } = await extractText(await getDocumentProxy(file))
  return text
}

const textOf = async (given: StatementFile) => (await pagesOf(given)).join('\n')

describe('the PDF of a statement', () => {
  it('has the merchant, the client, the day, what is open, and what led to it', async () => {
    const written = (await textOf(statement())).replaceAll(/\s/g, '')
    const { title, period, summary, from, to, parts } = statementText(statement())
    const rows = parts.flatMap(({ open, lines }) => [...open, ...lines])
    const expected = [
      title,
      period,
      ...summary,
      ...from,
      ...to,
      ...rows.flatMap(({ cells, note }) => [...cells, note]),
    ]
    for (const text of expected) expect(written).toContain(text.replaceAll(/\s/g, ''))
    for (const text of [
      '$940.00 is open on Nov 25, 2026. $840.00 of it is overdue.',
      '12 days overdue',
      'Balance before this day',
      '−$400.00',
      'Page 1 of 1',
    ])
      expect(written).toContain(text.replaceAll(/\s/g, ''))
  })

  it('has a part per currency, with each amount in its own', async () => {
    const yen = part({
      currency: 'jpy',
      opening: 0,
      lines: [line('JP-1', 5_000, 5_000)],
      closing: 5_000,
      overdue: 0,
      openInvoices: [],
    })
    const written = await textOf(statement({ parts: [part(), yen] }))
    expect(written).toMatch(/Open invoices in USD[^]*Movements in USD[^]*Movements in JPY/)
    expect(written).toContain('¥5,000')
  })

  it('says that nothing is open', async () => {
    expect(await textOf(statement({ parts: [] }))).toContain('Nothing is open on Nov 25, 2026.')
    const paid = part({ closing: 0, overdue: 0, openInvoices: [] })
    expect(statementText(statement({ parts: [paid] })).summary).toEqual([
      'Nothing is open on Nov 25, 2026.',
    ])
  })

  it('has the same bytes for the same statement, and is dated by its last day', async () => {
    const [one, other] = [await renderStatement(statement()), await renderStatement(statement())]
    expect(one.equals(other)).toBe(true)
    const { info } = await getMeta(await getDocumentProxy(new Uint8Array(one)))
    expect(info).toMatchObject({
      Title: 'Statement of 2026-11-25',
      CreationDate: expect.stringContaining('20261125'),
    })
  })

  it('shows names of many scripts, and says if it cannot draw a character', async () => {
    const named = (name: string) => textOf(statement({ client: { name, number: null } }))
    for (const name of ['Łukasz Żółć', 'ООО «Берёза»', '株式会社榛の木歯科'])
      expect(await named(name)).toContain(name)
    const missing = await named('ᚠᚢᚦᚨ Birch')
    expect(missing).toContain('???? Birch')
    expect(missing).toContain('This file cannot draw every character')
  })

  it('has the logo as an image instead of the large name', async () => {
    const logo = { content: png(30, 10), width: 30, height: 10 }
    const { merchant } = statement()
    const [plain, branded] = await Promise.all([
      renderStatement(statement()),
      renderStatement(statement({ merchant: { ...merchant, logo } })),
    ])
    expect(plain.includes('/Subtype /Image')).toBe(false)
    expect(branded.includes('/Subtype /Image')).toBe(true)
  })

  it('continues on other pages with the heads of the table and the number of all pages', async () => {
    const lines = Array.from({ length: 120 }, (_, index) =>
      line(`AD-${index}`, 100, 10_000 + 100 * (index + 1)),
    )
    const long = part({ lines, closing: 22_000, openInvoices: [] })
    const pages = await pagesOf(statement({ parts: [long] }))
    expect(pages.length).toBeGreaterThan(2)
    for (const [index, page] of pages.entries()) {
      expect(page).toContain('What happened')
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`)
    }
    expect(pages.at(-1)).toContain('AD-119')
  })

  it('wraps long words and never loses an amount', async () => {
    const long = line('N'.repeat(60), 98_765_432_100, 98_765_442_100, { text: 'W'.repeat(200) })
    const written = (await textOf(statement({ parts: [part({ lines: [long] })] }))).replaceAll(
      /\s/g,
      '',
    )
    expect(written).toContain('$987,654,421.00')
    expect([...written.matchAll(/N/g)].length).toBeGreaterThanOrEqual(60)
  })
})

describe('the lines of a statement', () => {
  const amounts = fc.array(fc.integer({ min: -50_000, max: 50_000 }), { maxLength: 30 })

  it('lead from the first balance to the last, also if the earlier ones are left out', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 1_100 }), (changes, more) => {
        const all = [...changes, ...Array.from({ length: more }, () => 1)]
        let balance = 500
        const lines = all.map((change, index) => line(`${index}`, change, (balance += change)))
        const [text] = statementText(
          statement({ parts: [part({ opening: 500, lines, closing: balance })] }),
        ).parts
        const shown = text?.lines ?? []
        expect(shown).toHaveLength(1 + Math.min(maxLines, all.length))
        const minor = (money: string | undefined) =>
          Math.round(Number((money ?? '').replaceAll(/[$,]/g, '').replace('−', '-')) * 100)
        let running = minor(shown[0]?.cells[4])
        for (const { cells } of shown.slice(1)) {
          running += minor(cells[3])
          expect(minor(cells[4])).toBe(running)
        }
        expect(running).toBe(balance)
      }),
    )
  })
})

/** A white PNG with an alpha channel, as logos are stored. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    // PDFKit reads no checksum.
    return Buffer.concat([length, body, Buffer.alloc(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 6, 0, 0, 0], 8)
  const rows = Buffer.concat(
    Array.from({ length: height }, () =>
      Buffer.concat([Buffer.alloc(1), Buffer.alloc(width * 4, 255)]),
    ),
  )
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
