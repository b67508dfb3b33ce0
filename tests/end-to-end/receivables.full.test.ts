import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { parse } from 'csv-parse/sync'
import type { Page } from 'playwright'
import { inspectPage } from '../support/browser/inspect-page.ts'
import { tabTo } from '../support/browser/tab-to.ts'
import { until } from '../support/machine/until.ts'
import { productWithBrowser } from '../support/product/product-with-browser.ts'
import { openMerchant, type Merchant } from '../support/receivables/merchant.ts'

/*
 * The daily work of a merchant, in a real browser against the product as `npm start` runs it. The
 * steps depend on each other. Grace Whitaker owes AD-1187, due 12 days ago.
 */

const running = productWithBrowser()

let merchant: Merchant
let page: Page
const consoleErrors: string[] = []
const pageProblems: string[] = []

beforeAll(async () => {
  merchant = await openMerchant(running.product, running.browser, 'mara@alderdental.example')
  page = await newTab()
}, 60_000)

async function newTab(): Promise<Page> {
  const tab = await merchant.context.newPage()
  tab.on('pageerror', (error) => consoleErrors.push(error.message))
  tab.on('console', (message) => {
    const isExpected = /Failed to load resource/.test(message.text())
    if (message.type() === 'error' && !isExpected) consoleErrors.push(message.text())
  })
  return tab
}

async function inspect(name: string, within?: string): Promise<void> {
  pageProblems.push(...(await inspectPage(page, name, within)))
}

const seen = (locator: ReturnType<Page['locator']>) => locator.first().waitFor({ timeout: 15_000 })
const title = (name: string, of = page) => seen(of.getByRole('heading', { level: 1, name }))
const button = (name: string | RegExp, of = page) => of.getByRole('button', { name, exact: true })
const dialog = (of = page) => of.getByRole('dialog')
const field = (label: string | RegExp, of = page) => dialog(of).getByLabel(label)
/** The figure of a readout. */
const figure = (label: string, amount: string, of = page) =>
  seen(of.locator('.readout', { hasText: label }).locator('strong', { hasText: amount }))
const status = (chip: string, of = page) => seen(of.locator('.page-head .chip', { hasText: chip }))
const addressOf = (path: string) => `${running.product.url}/receivables${path}`

/** Presses a button, fills the fields of its dialog and sends it. */
async function act(
  opener: string,
  fields: Readonly<Record<string, string>>,
  send: string,
  of = page,
): Promise<void> {
  await button(opener, of).click()
  for (const [label, value] of Object.entries(fields)) await field(label, of).fill(value)
  await dialog(of).getByRole('button', { name: send, exact: true }).click()
  await dialog(of).waitFor({ state: 'detached' })
}

/** Adds an invoice of Grace on her page, and waits for its page. */
async function addInvoice(number: string, amount: string): Promise<void> {
  const fields = {
    'Invoice number': number,
    'Amount, USD': amount,
    Issued: merchant.day(-42),
    Due: merchant.day(-12),
  }
  await act('Add invoice', fields, `Add $${amount}`)
  await title(number)
}

const toGrace = async () => {
  await page.getByRole('link', { name: 'Grace Whitaker' }).first().click()
  await title('Grace Whitaker')
}

async function rowsOfExport(name: string): Promise<Record<string, string>[]> {
  const download = page.waitForEvent('download')
  await button(`Export ${name} as CSV`).click()
  const text = await readFile(await (await download).path(), 'utf8')
  return parse(text, { bom: true, columns: true })
}

describe('a merchant with a plan', () => {
  it('reaches the checklist by the menu, and adds the first client by keyboard', async () => {
    await page.goto(`${running.product.url}/purchases`)
    await seen(page.getByRole('region', { name: 'Active Plan' }))
    await tabTo(page, /^Account menu/)
    await page.keyboard.press('Enter')
    await tabTo(page, 'Receivables')
    await page.keyboard.press('Enter')
    await title('Five steps to the first reminder')
    await inspect('the checklist')
    await tabTo(page, 'Add client')
    await page.keyboard.press('Enter')
    await seen(dialog())
    await page.keyboard.type('Grace Whitaker')
    await tabTo(page, 'E-mail')
    await page.keyboard.type('g.whitaker@postbox.example')
    await tabTo(page, 'Phone')
    await page.keyboard.type('(541) 555-0139')
    await inspect('adding a client', 'dialog')
    await page.keyboard.press('Enter')
    await title('Grace Whitaker')
  })

  it('adds an invoice, which is overdue from its first day on', async () => {
    await addInvoice('AD-1187', '1,240.00')
    await status('Overdue')
    await figure('Open', '$1,240.00')
    await inspect('an invoice')
  })

  it('records a part payment by keyboard, and corrects it', async () => {
    await tabTo(page, 'Record payment')
    await page.keyboard.press('Enter')
    await seen(dialog().getByText('Nothing stays open.'))
    await page.keyboard.press('Control+A')
    await page.keyboard.type('400')
    await seen(dialog().getByText('$840.00 of AD-1187 stays open.'))
    await inspect('recording a payment', 'dialog')
    await page.keyboard.press('Enter')
    await figure('Open', '$840.00')
    const correction = { 'Amount, USD': '450.00', 'Why it is corrected': 'The check says 450.' }
    await act('Correct the payment of $400.00', correction, 'Correct to $450.00')
    await figure('Open', '$790.00')
    await seen(page.getByText('The check says 450.'))
  })

  it('holds and releases it, notes a promise, and a dispute with its outcome', async () => {
    await act('Hold', { Reason: 'Waits for the insurer' }, 'Hold')
    await status('On hold')
    await act('Release the hold', {}, 'Release')
    await status('Overdue')
    await act('Promise', { 'Pays by': merchant.day(5) }, 'Save the promise')
    await status('Promised')
    await act('Withdraw the promise', {}, 'Withdraw the promise')
    await status('Overdue')
    const text = { 'What Grace Whitaker says': 'Charged twice for one visit.' }
    await act('Dispute', text, 'Record the dispute')
    await status('Disputed')
    await act('End the dispute', { Outcome: 'One visit is credited.' }, 'End the dispute')
    await status('Overdue')
  })

  it('reduces it by a credit memo, and by the credit that an overpaid invoice left', async () => {
    await act('Credit memo', { 'Amount, USD': '90.00', Reason: 'One visit' }, 'Credit $90.00')
    await figure('Open', '$700.00')
    await toGrace()
    await addInvoice('AD-1190', '100.00')
    await button('Record payment').click()
    await field('Amount, USD').fill('150')
    await field(/^Keep what is above/).check()
    await dialog().getByRole('button', { name: 'Record $150.00' }).click()
    await status('Paid')
    await toGrace()
    await figure('Credit', '$50.00')
    await page.getByRole('link', { name: 'AD-1187' }).first().click()
    await title('AD-1187')
    await act('Use a credit', {}, 'Use $50.00')
    await figure('Open', '$650.00')
  })

  it('in a second tab with an old amount is refused, loses no text and records nothing', async () => {
    const tab = await newTab()
    await tab.goto(page.url())
    await title('AD-1187', tab)
    await button('Record payment', tab).click()
    await field('Amount, USD', tab).fill('600')
    await field('Note', tab).fill('Check 3391')

    await act('Record payment', { 'Amount, USD': '150' }, 'Record $150.00')
    await figure('Open', '$500.00')

    await dialog(tab).getByRole('button', { name: 'Record $600.00' }).click()
    const refused =
      '$500.00 is open now, because the invoice was changed meanwhile. Nothing was recorded. Check the amount and send it again.'
    await seen(dialog(tab).getByText(refused))
    await seen(dialog(tab).getByText('$100.00 is more than AD-1187 needs.'))
    expect(await field('Amount, USD', tab).inputValue()).toBe('600')
    expect(await field('Note', tab).inputValue()).toBe('Check 3391')
    await field('Amount, USD', tab).fill('100')
    await dialog(tab).getByRole('button', { name: 'Record $100.00' }).click()
    await figure('Open', '$400.00', tab)
    await seen(tab.getByText('Check 3391'))
    await tab.close()
  })

  it('in a second tab with old details is refused, and then saves both changes', async () => {
    const tab = await newTab()
    await tab.goto(page.url())
    await title('AD-1187', tab)
    await button('Change', tab).click()
    await field('Reference', tab).fill('Plan 2 of 3')

    await page.reload()
    await act('Change', { Due: merchant.day(-5) }, 'Save the change')
    await seen(page.locator('.readout', { hasText: '5 days' }))

    const save = dialog(tab).getByRole('button', { name: 'Save the change' })
    await save.click()
    await seen(dialog(tab).getByText(/changed in another window meanwhile, so nothing was saved/))
    await until(
      async () => (await field('Due', tab).inputValue()) === merchant.day(-5),
      'the form does not show the due date of the other tab',
    )
    expect(await field('Reference', tab).inputValue()).toBe('Plan 2 of 3')
    await save.click()
    await seen(tab.locator('.page-head', { hasText: 'Plan 2 of 3' }))
    await seen(tab.locator('.readout', { hasText: '5 days' }))
    await tab.close()
  })

  it('writes it off, reopens it, and cancels an invoice that was issued in error', async () => {
    await page.reload()
    await act('Write off', { Reason: 'Agreed with the client' }, 'Write off $400.00')
    await status('Written off')
    await act('Reopen', { Reason: 'The client pays after all' }, 'Reopen AD-1187')
    await figure('Open', '$400.00')
    await toGrace()
    await addInvoice('AD-1191', '75.00')
    await act('Cancel', { Reason: 'Another patient' }, 'Cancel AD-1191')
    await status('Canceled')
    await toGrace()
    await figure('Owes', '$400.00')
  })

  it('reads the statement of a past day, which later acts do not change', async () => {
    const statement = page.getByRole('region', { name: 'Statement' })
    await statement.getByLabel(/^As of/).fill(merchant.day(-20))
    const closing = statement.locator('tfoot tr')
    await seen(closing.filter({ hasText: '$1,415.00' }))
    await inspect('a client')
    const rows = await rowsOfExport('Statement')
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows.at(-1))).toContain('1415.00')
  })

  it('finds the invoices in the list, and exports them as they are', async () => {
    await page.goto(addressOf('/invoices?filter=all&sort=number&order=asc'))
    await seen(page.getByRole('link', { name: 'AD-1191' }))
    await inspect('the list of invoices')
    // On phones the header of the table is for screen readers, and sorting has a field.
    await page.setViewportSize({ width: 390, height: 844 })
    await seen(page.getByLabel('Sort by'))
    expect(await page.locator('thead button').count()).toBe(0)
    await page.setViewportSize({ width: 1280, height: 900 })
    await seen(page.locator('thead button'))
    const rows = await rowsOfExport('Invoices')
    expect(rows).toMatchObject([
      { Invoice: 'AD-1187', Client: 'Grace Whitaker', Amount: '1240.00', Open: '400.00' },
      { Invoice: 'AD-1190', Status: 'paid', Open: '0.00' },
      { Invoice: 'AD-1191', Status: 'canceled', 'Due date': merchant.day(-12) },
    ])
    await page.goto(addressOf('/clients'))
    await seen(page.getByRole('link', { name: 'Grace Whitaker' }))
    await inspect('the list of clients')
    expect(await rowsOfExport('Clients')).toMatchObject([
      { Client: 'Grace Whitaker', Open: '400.00', Overdue: '400.00' },
    ])
  })

  it('opens each figure of the overview to events that add up to it', async () => {
    await page.goto(addressOf(''))
    await title('Receivables')
    await inspect('the overview')
    for (const [label, amount] of [
      ['Outstanding', '$400.00'],
      ['Overdue', '$400.00'],
      ['Collected in 30 days', '$850.00'],
    ] as const) {
      await figure(label, amount)
      // Days sales outstanding is another figure.
      await page
        .locator('.readout', { hasText: new RegExp(label) })
        .getByRole('button')
        .click()
      const drawer = page.getByRole('dialog', { name: label })
      await seen(drawer.locator('li'))
      const amounts = await drawer.locator('.rcv-drawer-amount').allTextContents()
      const cents = amounts.map((text) => Number(text.replace('−', '-').replace(/[$+,.]/g, '')))
      const sum = cents.reduce((total, each) => total + each, 0)
      expect([label, sum]).toEqual([label, Number(amount.replace(/[$,.]/g, ''))])
      if (label === 'Outstanding') await inspect('the events of a figure', 'dialog')
      await page.keyboard.press('Escape')
      await drawer.waitFor({ state: 'detached' })
    }
  })

  it('adds an invoice with a new client, and one of a known client, by keyboard', async () => {
    for (const [number, key] of [
      ['AD-2001', 'Enter'],
      ['AD-2002', 'Tab'],
    ] as const) {
      await page.goto(addressOf(''))
      await title('Receivables')
      await tabTo(page, 'Add invoice')
      await page.keyboard.press('Enter')
      await seen(dialog())
      await page.keyboard.type('Noor Aziz')
      await seen(dialog().getByRole('option', { name: /Noor Aziz/ }))
      await page.keyboard.press(key)
      await tabTo(page, 'Invoice number')
      await page.keyboard.type(number)
      await tabTo(page, 'Amount, USD')
      await page.keyboard.type('80')
      await seen(dialog().getByRole('heading', { name: 'Add invoice of Noor Aziz' }))
      await page.keyboard.press('Enter')
      await title(number)
    }
    await page.goto(addressOf('/clients?filter=all'))
    await seen(page.getByRole('row', { name: /Noor Aziz.*\$160\.00/ }))
    expect(await page.getByRole('link', { name: 'Noor Aziz' }).count()).toBe(1)
  })

  it('sets the schedule by keyboard, sees what it sends, and finds it saved', async () => {
    await page.goto(addressOf('/schedule'))
    await title('Schedule')
    await seen(page.getByText(/open invoices?, if nothing is paid/))
    await inspect('the schedule')
    await tabTo(page, 'Final e-mail, 30 days after')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await seen(page.getByText('1 step changed, not saved'))
    await seen(button('Firm e-mail, 31 days after, not saved'))
    await button('Add step').click()
    await seen(page.getByText('1 step added, 1 step changed, not saved'))
    await seen(page.getByText(/^With the changes, from/))
    await inspect('an unsaved step')
    await button('Save schedule').focus()
    await page.keyboard.press('Enter')
    await seen(page.getByText('The schedule is saved.'))
    await page.reload()
    await seen(button('Firm e-mail, 31 days after'))
    await seen(page.getByText(/Last saved/))
  }, 60_000)

  it('is asked before unsaved changes are lost, by a link and by the button of the browser', async () => {
    await page.goto(addressOf(''))
    await title('Receivables')
    await page.getByRole('link', { name: 'Schedule', exact: true }).click()
    await title('Schedule')
    await button('Add step').click()
    await page.getByRole('link', { name: 'Clients', exact: true }).click()
    await seen(dialog().getByText(/lost if you leave this page/))
    await inspect('leaving with unsaved changes', 'dialog')
    await button('Stay').click()
    await page.goBack()
    await seen(dialog().getByText(/lost if you leave this page/))
    await seen(page.getByText('1 step added, not saved'))
    await button('Leave').click()
    await title('Receivables')
  }, 60_000)

  it('turns reminders on after it has seen the first seven days', async () => {
    await page.goto(addressOf('/schedule'))
    await title('Schedule')
    await tabTo(page, 'Turn reminders on')
    await page.keyboard.press('Enter')
    await seen(dialog().getByText(/^The first seven days bring \d+ messages?/))
    await seen(dialog().getByText('Most clients in a day'))
    await inspect('turning reminders on', 'dialog')
    await tabTo(page, /^Turn on/)
    await page.keyboard.press('Enter')
    await seen(page.getByText(/^On since/))
    await page.goto(addressOf(''))
    await seen(page.locator('.page-head .chip', { hasText: 'Reminders on' }))
    await seen(page.getByRole('region', { name: 'What goes out next' }).getByText('Grace Whitaker'))
    await inspect('the overview with reminders on')
  }, 60_000)

  it('sends a message now, and reads it in the history as it was sent', async () => {
    await toGrace()
    await button('Send now').click()
    await seen(dialog().getByRole('button', { name: /^Send the e-mail/ }))
    await inspect('sending now', 'dialog')
    await dialog()
      .getByRole('button', { name: /^Send the e-mail/ })
      .click()
    await dialog().waitFor({ state: 'detached' })
    await until(async () => {
      await page.reload()
      await title('Grace Whitaker')
      return (await page.getByRole('button', { name: /^See the e-mail/ }).count()) > 0
    }, 'the history has no message that was sent')
    await inspect('a client with messages')
    await page
      .getByRole('button', { name: /^See the e-mail/ })
      .first()
      .click()
    await seen(dialog().getByText(/To g\.whitaker@postbox\.example/))
    await seen(dialog().getByText(/AD-1187/))
    await inspect('a message as it was sent', 'dialog')
    await page.keyboard.press('Escape')
    await button('Send now').click()
    await seen(dialog().getByText(/had a message today/))
    await page.keyboard.press('Escape')
  }, 60_000)

  it('skips a coming step of an invoice', async () => {
    await page.getByRole('link', { name: 'AD-1187' }).first().click()
    await title('AD-1187')
    await inspect('an invoice with messages')
    await page.getByRole('button', { name: 'Skip this step', exact: true }).first().click()
    await seen(dialog().getByText(/cannot be put back/))
    await inspect('skipping a step', 'dialog')
    await dialog().getByRole('button', { name: 'Skip the step' }).click()
    await dialog().waitFor({ state: 'detached' })
    await seen(page.locator('.history-day', { hasText: 'Skipped by hand' }))
  }, 60_000)

  it('sees only pages that fit the screen and have no accessibility violations', () => {
    expect(pageProblems).toEqual([])
  })

  it('sees no page with an error in the console', () => {
    expect(consoleErrors).toEqual([])
  })
})
