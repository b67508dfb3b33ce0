import { describe, expect, it } from '@jest/globals'
import { extractText, getDocumentProxy, getMeta } from 'unpdf'
import { receiptText } from '#contracts/receipt-text'
import type { Receipt } from '#contracts/receipts'
import { renderReceipt } from '#services/billing/receipts/render-receipt'
import { aReceipt, aRefundReceipt } from '../../support/data/receipts.ts'

/** The text of each page, as a reader of the file extracts it. */
async function pagesOf(pdf: Buffer): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)))
  return text
}

const textOf = async (receipt: Receipt) =>
  (await pagesOf(await renderReceipt(receipt))).join('\n').replaceAll(/\s+/g, ' ')

async function sizeOf(receipt: Receipt): Promise<[number, number]> {
  const document = await getDocumentProxy(new Uint8Array(await renderReceipt(receipt)))
  const { width, height } = (await document.getPage(1)).getViewport({ scale: 1 })
  return [Math.round(width), Math.round(height)]
}

describe('the PDF of a receipt', () => {
  it.each([
    ['payment', aReceipt()],
    ['refund', aRefundReceipt()],
  ])('of a %s has every text of the page', async (_kind, receipt) => {
    const written = (await textOf(receipt)).replaceAll(' ', '')
    const { title, summary, descriptions, from, billedTo, lines, sums } = receiptText(receipt)
    const expected = [
      title,
      summary,
      ...[...descriptions, ...sums].flatMap(({ term, value }) => [term, value]),
      ...from,
      ...billedTo,
      ...lines.flatMap(({ description, note, amount }) => [description, note, amount]),
    ]
    for (const text of expected) expect(written).toContain(text.replaceAll(/\s/g, ''))
  })

  it('has the same bytes for the same receipt, and is dated by the payment', async () => {
    const [one, other] = [await renderReceipt(aReceipt()), await renderReceipt(aReceipt())]
    expect(one.equals(other)).toBe(true)
    const { info } = await getMeta(await getDocumentProxy(new Uint8Array(one)))
    expect(info).toMatchObject({
      Title: 'Receipt AR-0001',
      CreationDate: expect.stringContaining('20260303091200'),
    })
  })

  it.each([
    'Łukasz Żółć, Søren Ångström, Şükrü Öztürk',
    'ООО «Берёза»',
    'Ελληνικά Αρχεία',
    'Nguyễn Thị Hồng',
    'Zoe\u0308 Bronte\u0308',
  ])('shows the name %s', async (name) => {
    const receipt = aReceipt({ billed_to: { ...aReceipt().billed_to, name } })
    expect(await textOf(receipt)).toContain(name.normalize('NFC'))
  })

  it('shows a question mark for each character that no font has', async () => {
    const receipt = aReceipt({ billed_to: { ...aReceipt().billed_to, name: 'ᚠᚢᚦᚨ Birch' } })
    expect(await textOf(receipt)).toContain('???? Birch')
  })

  it('continues a long invoice on another page, with the head of the table', async () => {
    const [line] = aReceipt().lines
    const lines = Array.from({ length: 40 }, (_, index) => ({
      ...line!,
      description: `Line ${index + 1} of the invoice`,
    }))
    const pages = await pagesOf(await renderReceipt(aReceipt({ lines })))
    expect(pages.length).toBeGreaterThan(1)
    expect(pages[1]).toContain('Description')
    expect(pages.join('\n')).toContain('Line 40 of the invoice')
    expect(pages.at(-1)).toContain('Amount paid')
  })

  it('breaks a word that is wider than its column', async () => {
    const email = `${'a'.repeat(120)}@example.com`
    const receipt = aReceipt({ billed_to: { ...aReceipt().billed_to, email } })
    expect((await textOf(receipt)).replaceAll(' ', '')).toContain(email)
  })

  it.each([
    ['US', 612, 792],
    [null, 612, 792],
    ['DE', 595, 842],
  ])('for a customer in %s has the size %d x %d points', async (country, width, height) => {
    const receipt = aReceipt({ billed_to: { ...aReceipt().billed_to, country } })
    expect(await sizeOf(receipt)).toEqual([width, height])
  })
})
