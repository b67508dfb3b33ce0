import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { Browser, CDPSession, Page } from 'playwright'
import { launchBrowser } from '../support/browser/browser.ts'
import { inspectPage } from '../support/browser/inspect-page.ts'
import { freePort } from '../support/machine/free-port.ts'
import { inboxOf } from '../support/product/inbox.ts'
import { runBilling } from '../support/product/run-billing.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'

/* A named administrator with a virtual authenticator of Chromium. */

const email = 'ada@agilereceivables.example'
let product: RunningProduct
let browser: Browser
let page: Page
let cdp: CDPSession
let authenticatorId: string
let origin: string
const problems: string[] = []

async function inspect(name: string, within?: string): Promise<void> {
  problems.push(...(await inspectPage(page, name, within)))
}

beforeAll(async () => {
  const port = await freePort()
  // A name: browsers refuse passkeys of an IP address.
  origin = `http://localhost:${port}`
  ;[product, browser] = await Promise.all([
    startProduct({ env: { PORT: String(port), PUBLIC_URL: origin } }),
    launchBrowser(),
  ])
  const added = await runBilling(
    { DATA_DIR: product.dataDir },
    'admins',
    'add',
    email,
    '--name',
    'Ada Lind',
    '--role',
    'owner',
  )
  if (added.code !== 0) throw new Error(added.stderr)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  page.setDefaultTimeout(15_000)
  page.on('pageerror', (error) => problems.push(error.message))
  cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  ;({ authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  }))
}, 240_000)
afterAll(async () => {
  await browser?.close()
  await product?.stop()
}, 60_000)

jest.setTimeout(120_000)

const button = (name: string | RegExp) => page.getByRole('button', { name })
const signInButton = () => button('Sign in with a passkey')
const seen = (text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: 30_000 })

/** `PASSKEY_PICTURES` is a directory for pictures of the screens. */
async function picture(name: string): Promise<void> {
  const directory = process.env.PASSKEY_PICTURES
  if (directory === undefined) return
  await mkdir(directory, { recursive: true })
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.screenshot({ path: join(directory, `${name}-${width}.png`) })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

async function logOut(): Promise<void> {
  await button('Logout').click()
  await page.getByLabel('Password').waitFor()
}

/** Opens the login and signs in with the passkey, by the keyboard alone. */
async function signInWithPasskey(): Promise<void> {
  await page.goto(`${origin}/admin/passkeys`)
  await signInButton().waitFor()
  await page.getByLabel('Password').focus()
  // The button of the password is disabled while the field is empty.
  await page.keyboard.press('Tab')
  expect(await signInButton().evaluate((found) => found === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
}

describe('a named administrator', () => {
  it('signs in with the password and the code, and sees no passkey yet', async () => {
    await page.goto(`${origin}/admin/passkeys`)
    await page.getByLabel('Password').fill(product.adminPassword)
    await page.keyboard.press('Enter')
    await page.getByLabel('E-mail address').fill(email)
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Code' }).fill(await inboxOf(product, email).code())
    await page.keyboard.press('Enter')
    await seen('You have no passkey.')
    await inspect('the page without a passkey')
    await picture('empty')
  })

  it('adds a passkey by the keyboard', async () => {
    await button('Add a passkey').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Name' }).fill('Work laptop')
    await inspect('the dialog', 'dialog')
    await picture('add')
    await page.keyboard.press('Enter')
    await seen('Never used')
    await inspect('the page with a passkey')
  })

  it('cannot add the same authenticator again', async () => {
    await button('Add a passkey').click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Work laptop again')
    await page.keyboard.press('Enter')
    await seen('This device has a passkey of yours already')
    await button('Cancel').click()
  })

  it('renames the passkey', async () => {
    await button('Rename Work laptop').click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Old laptop')
    await page.keyboard.press('Enter')
    await button('Rename Old laptop').waitFor()
  })

  it('signs out, and signs in with the passkey alone', async () => {
    await logOut()
    await page.goto(`${origin}/admin`)
    await signInButton().waitFor()
    await inspect('the login')
    await picture('login')
    await signInWithPasskey()
    await seen('Last used')
    await picture('list')
  })

  it('reads a sentence if the person is not verified', async () => {
    await logOut()
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await signInWithPasskey()
    await seen('The passkey was not used')
    await picture('canceled')
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  })

  it('is refused if the counter of the passkey was set back', async () => {
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
    const [credential] = credentials
    if (credential === undefined) throw new Error('The authenticator has no passkey.')
    await cdp.send('WebAuthn.removeCredential', {
      authenticatorId,
      credentialId: credential.credentialId,
    })
    await cdp.send('WebAuthn.addCredential', {
      authenticatorId,
      credential: { ...credential, signCount: 0 },
    })
    await signInWithPasskey()
    await seen('its counter fell back')
    await inspect('the refused login')
    await picture('refused')
    // The own device has the higher counter, and still signs in.
    await cdp.send('WebAuthn.removeCredential', {
      authenticatorId,
      credentialId: credential.credentialId,
    })
    await cdp.send('WebAuthn.addCredential', {
      authenticatorId,
      credential: { ...credential, signCount: credential.signCount + 10 },
    })
    await signInWithPasskey()
    await seen('Last used')
    await page.goto(`${origin}/admin/activity`)
    await seen('Passkey refused')
  })

  it('removes the passkey, which then signs in no more', async () => {
    await page.goto(`${origin}/admin/passkeys`)
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
    await button('Remove Old laptop').click()
    await picture('remove')
    const login = await browser.newContext()
    const other = await login.newPage()
    await other.goto(`${origin}/admin`)
    await other.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    const otherCdp = await login.newCDPSession(other)
    await otherCdp.send('WebAuthn.enable')
    const { authenticatorId: copy } = await otherCdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    for (const credential of credentials)
      await otherCdp.send('WebAuthn.addCredential', { authenticatorId: copy, credential })
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await seen('You have no passkey.')
    await other.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await other.getByText('No administrator signs in with this passkey').waitFor()
    await login.close()
  })

  it('is offered no passkey by the login while no person has one', async () => {
    await logOut()
    await page.goto(`${origin}/admin`)
    await page.getByLabel('Password').waitFor()
    expect(await signInButton().count()).toBe(0)
  })

  it('meets no problem on any screen', () => {
    expect(problems).toEqual([])
  })
})
