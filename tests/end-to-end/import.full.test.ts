import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import type { BrowserContext, Page } from 'playwright'
import { inspectPage } from '../support/browser/inspect-page.ts'
import { tabTo } from '../support/browser/tab-to.ts'
import { productWithBrowser } from '../support/product/product-with-browser.ts'
import { workbookFile } from '../support/receivables/import-files/workbook.ts'
import { openMerchant } from '../support/receivables/merchant.ts'

/*
 * A merchant imports a file, the same file again and a changed one, in a real browser against the
 * product as `npm start` runs it. The steps depend on each other.
 */

const running = productWithBrowser()

let page: Page
let context: BrowserContext
const consoleErrors: string[] = []
const pageProblems: string[] = []

beforeAll(async () => {
  const email = 'mara@alderdental.example'
  ;({ context } = await openMerchant(running.product, running.browser, email))
  page = await newTab()
}, 60_000)

async function newTab(): Promise<Page> {
  const tab = await context.newPage()
  tab.on('pageerror', (error) => consoleErrors.push(error.message))
  tab.on('console', (message) => {
    const isExpected = /Failed to load resource/.test(message.text())
    if (message.type() === 'error' && !isExpected) consoleErrors.push(message.text())
  })
  return tab
}

const inspect = async (name: string, within?: string) =>
  void pageProblems.push(...(await inspectPage(page, name, within)))
const seen = (text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: 15_000 })
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const row = (...texts: readonly string[]) =>
  texts.reduce((found, hasText) => found.filter({ hasText }), page.getByRole('row')).first()

/** Both first dates can be read in two ways, and no row of the file decides it. */
const header = 'Inv No,Account,Due Date,Total,Balance,Email'
const plans = [
  'PL-3107,Ruth Calloway,12/10/2026,180.00,180.00,r.calloway@postbox.example',
  'PL-3108,Ben Ostrander,01/10/2027,95.00,95.00,',
  'PL-3109,Ivy Nakamura,02/10/2027,240.00,120.00,i.nakamura@postbox.example',
]
const refused = ',Owen Marsh,01/10/2027,140.00,140.00,'

async function choose(name: string, buffer: Buffer): Promise<void> {
  await page.goto(`${running.product.url}/receivables/import`)
  await seen('Drop a CSV or XLSX file here')
  await page.getByLabel('File to import').setInputFiles({ name, mimeType: 'text/csv', buffer })
  await seen(new RegExp(`^${name}$`))
}

const csv = (...rows: readonly string[]) => Buffer.from([header, ...rows, ''].join('\n'))

describe('a merchant with a plan', () => {
  it('is led from the checklist to the import', async () => {
    await page.goto(`${running.product.url}/receivables`)
    await page.getByRole('link', { name: 'Choose a file' }).click()
    await seen('Nothing is stored before you press Import.')
    await inspect('the import without a file')
  })

  it('answers which part of a date is the month, and sees each row before it is stored', async () => {
    await choose('plans.csv', csv(...plans, refused))
    await seen('12/10/2026 can be read in two ways.')
    await seen('So can all 4 dates of this column. Nothing in the file decides it.')
    await inspect('a question of a column')
    await page.getByLabel(/^Month first/).focus()
    await page.keyboard.press('Space')
    await seen('3 invoices are added. The same file again changes nothing.')
    await row('PL-3107', 'New', 'Dec 10, 2026', '$180.00').waitFor()
    await row('PL-3108', 'No e-mail, no phone: no reminder reaches it.').waitFor()
    await row('Owen Marsh', 'Refused', 'No invoice number.').waitFor()
    await inspect('the check')
  })

  it('saves the refused rows with their reasons', async () => {
    const download = page.waitForEvent('download')
    await button('Refused rows as CSV').click()
    const text = await readFile(await (await download).path(), 'utf8')
    expect(text).toContain('Row,Why,Inv No')
    expect(text).toContain('5,No invoice number.,,Owen Marsh')
  })

  it('imports by keyboard', async () => {
    await tabTo(page, 'Import 3 rows')
    await page.keyboard.press('Enter')
    await seen(/^3 rows imported in/)
    await seen('3, $395.00')
    await inspect('the result')
    await page.getByRole('link', { name: 'See the invoices' }).click()
    await row('PL-3109', 'Ivy Nakamura', 'Feb 10, 2027', '$120.00').waitFor()
  })

  it('imports the same file again, which changes nothing', async () => {
    await choose('plans.csv', csv(...plans, refused))
    await seen('Nothing to import: 3 rows are stored as in the file.')
    expect(await page.getByLabel(/^Month first/).isChecked()).toBe(true)
    expect(await button(/^Import \d/).count()).toBe(0)
  })

  it('imports a changed file: a payment, a due date, and an invoice that is missing', async () => {
    await choose(
      'plans-2.csv',
      csv(
        'PL-3107,Ruth Calloway,12/10/2026,180.00,90.00,r.calloway@postbox.example',
        'PL-3108,Ben Ostrander,03/10/2027,95.00,95.00,',
      ),
    )
    await row('PL-3107', 'Changed', 'Payment of $90.00.').waitFor()
    await row('PL-3108', 'Jan 10, 2027', 'Mar 10, 2027').waitFor()
    await seen('1 payment, $90.00; 1 due date')
    await page
      .getByLabel(/^This file is complete\. Mark the open invoice .* PL-3109 \$120\.00/)
      .check()
    await seen('2 invoices are changed, 1 marked as paid.')
    await button('Import 2 rows').click()
    await seen(/^2 rows imported in/)
    await row('plans-2.csv', '2 changed, 1 marked as paid', 'Finished').waitFor()
  })

  it('undoes the last import, so that its invoices have their earlier values', async () => {
    await button('Undo the import of plans-2.csv').click()
    await inspect('undoing an import', 'dialog')
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
    await row('plans-2.csv', 'Undone').waitFor()
    await page.goto(`${running.product.url}/receivables/invoices`)
    await row('PL-3107', 'Dec 10, 2026', '$180.00').waitFor()
    await row('PL-3108', 'Jan 10, 2027').waitFor()
    await row('PL-3109', '$120.00').waitFor()
  })

  it('reads a workbook', async () => {
    const bytes = workbookFile({
      sheets: [
        {
          name: 'Open invoices',
          rows: [
            ['Invoice', 'Customer', 'Due date', 'Amount'],
            ['PL-4001', 'Signe Holm', '2027-03-01', '240.00'],
          ],
        },
      ],
    })
    await choose('open.xlsx', Buffer.from(bytes))
    await button('Import 1 row').click()
    await seen(/^1 row imported in/)
  })

  it('continues an import after a lost connection and a closed tab, without doubles', async () => {
    const many = Array.from(
      { length: 120 },
      (_, index) => `ML-${1000 + index},Leo Vance,2027-01-15,10.00,10.00,`,
    )
    await choose('many.csv', csv(...many))
    let parts = 0
    await page.route('**/rows', async (route) => {
      parts += 1
      if (parts === 1) return route.continue()
      // The server stores the second part, and its answer is lost.
      if (parts === 2) await route.fetch()
      return route.abort()
    })
    await button('Import 120 rows').click()
    await seen('Connection lost')
    await seen(/It continues with row 52\. No row is stored twice\./)
    await inspect('a lost connection')
    await page.close()
    page = await newTab()
    await choose('many.csv', csv(...many))
    await seen(/100 of 120 rows are stored\. No row is stored twice\./)
    await button('Continue the import').click()
    await seen(/^120 rows imported in/)
    await page.goto(`${running.product.url}/receivables/invoices?search=ML-1`)
    await seen('120 open invoices of 1 client, oldest first')
  })

  it('gives a program a key, and takes it back', async () => {
    await page.goto(`${running.product.url}/receivables`)
    await page.getByRole('link', { name: 'Payments' }).click()
    await tabTo(page, 'Make a key')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Ledger')
    await page.keyboard.press('Enter')
    const key = await page.getByLabel('Key', { exact: true }).inputValue()
    await inspect('a new key', 'dialog')
    await button('Done').click()
    const add = async () => {
      const { status } = await fetch(`${running.product.url}/api/receivables/invoices`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          invoices: [
            {
              number: 'PG-1',
              client: { name: 'Leo Vance' },
              dueDate: '2027-01-15',
              amount: '12.50',
              currency: 'usd',
            },
          ],
        }),
      })
      return status
    }
    expect(await add()).toBe(200)
    await page.reload()
    await row('Ledger', 'Revoke').waitFor()
    expect(await row('Ledger').filter({ hasText: 'Never' }).count()).toBe(0)
    await inspect('the keys')
    await button('Revoke Ledger').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await row('Ledger', 'Revoked').waitFor()
    expect(await add()).toBe(401)
  })

  it('sees only pages that fit the screen and have no accessibility violations', () => {
    expect(pageProblems).toEqual([])
  })

  it('sees no page with an error in the console', () => {
    expect(consoleErrors).toEqual([])
  })
})
