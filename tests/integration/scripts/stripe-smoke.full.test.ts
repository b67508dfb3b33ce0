import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { realSettings } from '../../support/data/real-settings.ts'
import { startTestSandbox, type TestSandbox } from '../../support/product/sandbox.ts'

jest.setTimeout(60_000)

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox?.close())

/** Runs `npm run stripe:smoke` from the sources. */
async function smoke(settings: Readonly<Record<string, string>>) {
  const { PATH, HOME, TMPDIR } = process.env
  const child = spawn(process.execPath, ['scripts/stripe-smoke.mjs'], {
    env: { PATH, HOME, TMPDIR, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout: String(Buffer.concat(stdout)), stderr: String(Buffer.concat(stderr)) }
}

describe('stripe:smoke', () => {
  it('lives through a purchase, a plan change, a refund and an end at the sandbox', async () => {
    const { code, stdout, stderr } = await smoke({
      STRIPE_SECRET_KEY: 'sk_test_sandbox',
      SANDBOX_URL: sandbox.url,
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.replaceAll(/\b(cus|sub|in|re)_\w+/g, '$1_…').split('\n')).toEqual([
      'Created the customer cus_….',
      'Subscribed to the monthly price: sub_….',
      'Read the purchase: Monthly Plan active, 3900 usd paid.',
      'Changed the plan to the annual price.',
      expect.stringMatching(
        /^Read the plan change: Annual Plan active, 3900 usd paid, \d+ usd paid\.$/,
      ),
      'Refunded 1.00 of in_…: re_…, succeeded.',
      expect.stringMatching(/^Read the refund: Annual Plan active, .*, 100 usd refunded\.$/),
      'Canceled the subscription at once.',
      expect.stringMatching(/^Read the end: Annual Plan ended, /),
      'Deleted the customer cus_….',
      'Every step succeeded.',
      '',
    ])
    expect((await sandbox.stripe.customers.list()).data).toEqual([])
  })

  it.each([
    ['without a key', {}, 'STRIPE_SECRET_KEY is not set'],
    ['with a live key', { ...realSettings, STRIPE_SECRET_KEY: 'sk_live_1' }, 'is a live key'],
  ])('refuses %s with one sentence and exit code 2', async (_which, settings, sentence) => {
    const { code, stdout, stderr } = await smoke(settings)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(sentence)
  })
})
