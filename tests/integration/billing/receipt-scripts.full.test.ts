import { describe, expect, it } from '@jest/globals'
import { extractText, getDocumentProxy } from 'unpdf'
import { renderReceipt } from '#services/billing/receipts/render-receipt'
import { visualRunsOf } from '#services/pdf/visual-order'
import { aReceipt } from '../../support/data/receipts.ts'

/* Names in the scripts of the world, drawn by the fonts of the installed packages. */

async function textWith(name: string): Promise<string> {
  const receipt = aReceipt({ billed_to: { ...aReceipt().billed_to, name } })
  const pdf = await getDocumentProxy(new Uint8Array(await renderReceipt(receipt)))
  return (await extractText(pdf, { mergePages: true })).text.replaceAll(/\s+/g, ' ')
}

const note =
  'This file cannot draw every character of these lines. The page of the receipt shows them in full.'

/** The characters of a line as they stand from left to right, if the font library reverses none. */
const order = (text: string) =>
  visualRunsOf(text, 'text')
    .map((run) => run.text)
    .join('|')

describe('the PDF of a receipt', () => {
  it.each([
    ['simplified Chinese', '北京松木文化有限公司'],
    ['traditional Chinese', '臺灣龍麵股份公司'],
    ['Japanese', '株式会社さくらカフェ Birch'],
    ['Korean', '한국 자작나무 주식회사'],
    ['Thai', 'บริษัท ต้นเบิร์ช จำกัด'],
  ])('draws a name in %s', async (_script, name) => {
    const text = await textWith(name)
    // A reader without ActualText has a control character after the two glyphs of a Thai AM.
    const joined = (words: string) => words.replaceAll(/[\s\p{Cc}]/gu, '')
    expect(joined(text)).toContain(joined(name))
    expect(text).not.toContain('?')
    expect(text).not.toContain(note)
  })

  it.each([
    ['Arabic', 'شركة البتولا'],
    ['Hebrew', 'חברת לבנה בע״מ'],
  ])('draws a name in %s without a stand-in', async (_script, name) => {
    const text = await textWith(name)
    expect(text).not.toContain('?')
    expect(text).not.toContain(note)
  })

  it('says beside the customer that the page shows the characters that it cannot draw', async () => {
    const text = await textWith('Birch 🌳 ᚠᚢᚦ')
    expect(text).toContain('Birch ? ???')
    expect(text).toContain(note)
  })

  it('has the same bytes for the same receipt after its fonts are loaded', async () => {
    const receipt = aReceipt({ billed_to: { ...aReceipt().billed_to, name: '松木 برچ' } })
    const [one, other] = [await renderReceipt(receipt), await renderReceipt(receipt)]
    expect(one.equals(other)).toBe(true)
  })
})

describe('the order of a line', () => {
  it.each([
    ['Latin', 'Birch & Sons', 'Birch & Sons'],
    // The font library draws the letters of a Hebrew run from right to left.
    ['Hebrew', 'חברה', 'חברה'],
    ['Latin in Hebrew', 'חברה Birch', 'Birch| |חברה'],
    ['Hebrew in Latin', 'Birch חברה Ltd', 'Birch |חברה| Ltd'],
    ['brackets in Hebrew', 'חברה (ישראל)', '(|ישראל|) |חברה'],
    ['a number in Arabic', 'شركة 24', '24| |شركة'],
  ])('of %s is right', (_what, text, expected) => {
    expect(order(text)).toBe(expected)
  })
})
