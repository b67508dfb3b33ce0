import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { productWithBrowser } from '../support/product/product-with-browser.ts'
import { readImportFile } from '../support/receivables/import-files/read-file.ts'
import { openMerchant } from '../support/receivables/merchant.ts'
import { amountTargets, dateTargets } from '../../web/features/receivables/import/table/targets.ts'

/*
 * Each file of the reader's tests is imported in a real browser by a merchant of its own. The page
 * shows what the reader says of the file, and the product stores it.
 */

const running = productWithBrowser()
const directory = join(process.cwd(), 'tests/support/receivables/import-files')

const ofEach = <Key extends string, Value>(keys: readonly Key[], value: Value) =>
  Object.fromEntries(keys.map((key) => [key, value]))
/** The answers to all questions: the first readings. */
const answers = {
  dayOrders: ofEach(dateTargets, 'month-first'),
  decimalSigns: ofEach(amountTargets, 'point'),
} as const

async function files() {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.csv'))
  const read = await Promise.all(
    names.map(async (name) => ({ name, buffer: await readFile(join(directory, name)) })),
  )
  const text = read.find(({ name }) => name === 'handmade-semicolons.csv')?.buffer.toString('utf8')
  const utf16 = Buffer.from(`\ufeff${text ?? ''}`, 'utf16le')
  return [...read, { name: 'utf-16.csv', buffer: utf16 }]
}

it('imports each file as the reader reads it', async () => {
  for (const [index, { name, buffer }] of (await files()).entries()) {
    const { checked } = await readImportFile(buffer, { answers })
    if (checked.kind !== 'checked') throw new Error(`The reader does not read ${name}.`)
    const email = `mara.${index}@alderdental.example`
    const { context } = await openMerchant(running.product, running.browser, email)
    const page = await context.newPage()
    await page.goto(`${running.product.url}/receivables/import`)
    await page.getByLabel('File to import').setInputFiles({ name, mimeType: 'text/csv', buffer })
    for (const question of checked.questions) {
      const label = question.kind === 'dates' ? /^Month first/ : /^Decimal point/
      const group = page.getByRole('radiogroup').filter({ hasText: question.value })
      await group.first().getByLabel(label).check()
    }
    const count = (label: string) =>
      page.locator('.import-counts > div', { hasText: label }).locator('strong').textContent()
    const figures = page.locator('.import-counts')
    await figures.waitFor({ timeout: 20_000 })
    expect([name, await count('New'), await count('Refused')]).toEqual([
      name,
      String(checked.rows.length),
      String(checked.refused.length),
    ])
    if (checked.rows.length > 0) {
      await page.getByRole('button', { name: /^Import \d/ }).click()
      await page.getByText(/^\d+ rows? imported in/).waitFor({ timeout: 20_000 })
      await page.goto(`${running.product.url}/receivables/invoices?filter=all`)
      const note = new RegExp(`^${checked.rows.length} invoices?\\b`)
      await page.locator('.page-head p', { hasText: note }).waitFor()
    }
    await context.close()
  }
}, 240_000)
