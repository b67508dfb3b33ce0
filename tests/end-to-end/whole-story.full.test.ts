import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { BrowserContext, Page } from 'playwright'
import { inspectPage } from '../support/browser/inspect-page.ts'
import { tabTo } from '../support/browser/tab-to.ts'
import { until } from '../support/machine/until.ts'
import { inboxOf } from '../support/product/inbox.ts'
import { productWithBrowser } from '../support/product/product-with-browser.ts'

/*
 * From the sign-up to the first paid invoice in ten minutes on the sandbox, by pages and mails
 * alone: the merchant at a desk, its client on a phone. The steps depend on each other and are
 * those of the README. STORY_PICTURES: a folder for pictures.
 */

const running = productWithBrowser()
const pictures = process.env['STORY_PICTURES']
const mara = 'mara@alderdental.example'
const grace = 'g.whitaker@postbox.example'

let desk: BrowserContext
let phone: BrowserContext
let merchant: Page
let client: Page
let beganAt = 0
const problems: string[] = []

beforeAll(async () => {
  beganAt = Date.now()
  desk = await running.browser.newContext({ viewport: { width: 1440, height: 900 } })
  phone = await running.browser.newContext({ viewport: { width: 390, height: 844 } })
  for (const context of [desk, phone]) {
    context.on('weberror', (error) => problems.push(error.error().message))
    context.on('console', (message) => {
      const isExpected = /Failed to load resource/.test(message.text())
      if (message.type() === 'error' && !isExpected) problems.push(message.text())
    })
  }
  merchant = await desk.newPage()
  client = await phone.newPage()
}, 120_000)
afterAll(async () => {
  await desk?.close()
  await phone?.close()
})

jest.setTimeout(90_000)

const seen = (locator: ReturnType<Page['locator']>) => locator.first().waitFor({ timeout: 20_000 })
const text = (page: Page, words: string | RegExp) => seen(page.getByText(words))
const button = (name: string | RegExp) => merchant.getByRole('button', { name, exact: true })
const dialog = () => merchant.getByRole('dialog')
const open = (path: string) => merchant.goto(`${running.product.url}${path}`)

/** The step as a picture, and what is wrong with the page. */
async function step(name: string, page = merchant): Promise<void> {
  const width = page.viewportSize()?.width
  if (pictures !== undefined)
    await page.screenshot({ path: `${pictures}/${name.replaceAll(' ', '-')}-${width}.png` })
  problems.push(...(await inspectPage(page, name)))
}

/** A day of the calendar, counted from today. */
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** The text of the first message to this address that has the words. */
async function mailTo(to: string, words: RegExp): Promise<string> {
  let found: string | undefined
  await until(async () => {
    const messages = await inboxOf(running.product, to).read()
    found = messages.find(({ subject }) => words.test(subject ?? ''))?.text
    return found !== undefined
  }, `the mail to ${to}`)
  return found ?? ''
}

async function payWithTestCard(page: Page, name: string, zip: string): Promise<void> {
  await page.waitForURL(/\/checkout\//)
  for (const [label, value] of [
    ['Card number', '4242 4242 4242 4242'],
    ['Expiry', '08 / 32'],
    ['CVC', '123'],
    ['Name on card', name],
    ['ZIP', zip],
  ] as const)
    await page.getByLabel(label).fill(value)
  await page.getByRole('button', { name: /^Pay/ }).click()
}

describe('a merchant', () => {
  it('1: signs up with the mailed code and its profile', async () => {
    await open('/')
    await button('Subscribe Now').click()
    await dialog().getByLabel('Email').fill(mara)
    await button('Send Code').click()
    await seen(merchant.getByRole('dialog', { name: 'Complete Your Profile' }))
    for (const [label, value] of [
      ['Full name', 'Mara Ellison'],
      ['Company name', 'Alder Dental'],
      ['Address', '1140 Alder Street'],
      ['City', 'Eugene'],
      ['ZIP code', '97401'],
      ['Support email', 'office@alderdental.example'],
      ['Support phone', '(541) 555-0147'],
    ] as const)
      await merchant.getByLabel(label, { exact: true }).fill(value)
    await merchant.getByLabel('Domain').selectOption('Dental')
    await merchant.getByLabel('State').selectOption('Oregon')
    await merchant.getByLabel(/I acknowledge that I have read/).check()
    await button('Complete Signup').click()
    await merchant.getByLabel('Verification code').fill(await inboxOf(running.product, mara).code())
    await button('Verify').click()
  })

  it('2: subscribes, and is led to the five steps', async () => {
    await payWithTestCard(merchant, 'Mara Ellison', '97401')
    await merchant.waitForURL(/\/payment-success/)
    await seen(merchant.getByRole('heading', { name: 'Subscription Activated!' }))
    expect(await mailTo(mara, /^Welcome to/)).toContain('five steps')
    expect(await mailTo(mara, /^Subscription activated/)).toContain('You can begin now')
    await merchant.getByRole('link', { name: 'Set up your receivables' }).click()
    await text(merchant, 'Five steps to the first reminder')
    await step('the checklist')
  })

  it('3: imports its open invoices from a file', async () => {
    await merchant.getByRole('link', { name: 'Choose a file' }).click()
    await text(merchant, 'Drop a CSV or XLSX file here')
    const buffer = Buffer.from(
      [
        'Inv No,Account,Due Date,Total,Email',
        `AD-1187,Grace Whitaker,${day(-12)},1240.00,${grace}`,
        `AD-1221,Ben Ostrander,${day(20)},180.00,b.ostrander@postbox.example`,
        '',
      ].join('\n'),
    )
    await merchant
      .getByLabel('File to import')
      .setInputFiles({ name: 'open.csv', mimeType: 'text/csv', buffer })
    await text(merchant, '2 invoices are added. The same file again changes nothing.')
    await step('the import')
    await button('Import 2 rows').click()
    await text(merchant, /^2 rows imported in/)
  })

  it('4: chooses its brand', async () => {
    await open('/receivables/brand')
    await seen(merchant.getByRole('article', { name: 'E-mail' }))
    await merchant.getByLabel('Color', { exact: true }).fill('#1F6F5C')
    await button('Save brand').click()
    await text(merchant, 'The brand is saved.')
  })

  it('5: connects its account for payments', async () => {
    await open('/receivables/payments')
    await tabTo(merchant, 'Connect Stripe')
    await merchant.keyboard.press('Enter')
    await merchant.waitForURL(/\/connect\/onboarding\//)
    await merchant.getByLabel('Business name').fill('Alder Dental')
    await button('Finish and accept payments').click()
    await merchant.waitForURL(/account=returned/)
    await seen(merchant.getByRole('region', { name: 'Stripe account' }).getByText('Active'))
    await mailTo(mara, /^An account for card payments/)
  })

  it('6: reads the schedule and saves it', async () => {
    await open('/receivables/schedule')
    await text(merchant, /open invoices?, if nothing is paid/)
    await tabTo(merchant, 'Final e-mail, 30 days after')
    await merchant.keyboard.press('ArrowRight')
    await button('Save schedule').click()
    await text(merchant, 'The schedule is saved.')
    await step('the schedule')
  })

  it('7: turns reminders on', async () => {
    await button('Turn reminders on').click()
    await seen(dialog().getByText(/^The first seven days bring \d+ messages?/))
    await dialog()
      .getByRole('button', { name: /^Turn on/ })
      .click()
    await text(merchant, /^On since/)
  })

  it('8: sends the first reminder now', async () => {
    await open('/receivables/clients')
    await merchant.getByRole('link', { name: 'Grace Whitaker' }).first().click()
    await button('Send now').click()
    await dialog()
      .getByRole('button', { name: /^Send the e-mail/ })
      .click()
    await dialog().waitFor({ state: 'detached' })
  })
})

describe('its client on a phone', () => {
  it('9: opens the link of the reminder, and pays', async () => {
    const reminder = await mailTo(grace, /AD-1187|Alder Dental/)
    const [link = ''] = /https?:\/\/\S+\/pay\/[\w-]+/.exec(reminder) ?? []
    expect(reminder).toContain('AD-1187')
    await client.goto(link)
    await text(client, '$1,240.00')
    await step('the portal', client)
    await client.getByRole('button', { name: /^Pay \$1,240\.00/ }).click()
    await payWithTestCard(client, 'Grace Whitaker', '97401')
    await text(client, '$1,240.00 paid')
    await text(client, 'Reminders have stopped.')
    await step('the receipt', client)
  })
})

describe('the merchant again', () => {
  it('10: sees the payment and its fee', async () => {
    await until(async () => {
      await open('/receivables')
      await text(merchant, 'What goes out next')
      return (await merchant.getByText('$1,240.00').count()) > 0
    }, 'the overview shows the payment')
    await step('the overview')
    await open('/receivables/payments')
    await seen(
      merchant
        .getByRole('list', { name: 'Sums' })
        .getByText('$62.00 of fees on 1 payment of $1,240.00'),
    )
    await step('the fees')
  })

  it('was paid within ten minutes of the sign-up', () => {
    expect(Date.now() - beganAt).toBeLessThan(600_000)
  })

  it('saw only pages that fit the screen, without errors and accessibility violations', () => {
    expect(problems).toEqual([])
  })
})
