import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { freePort } from '../../support/machine/free-port.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'

const runBilling = billingInOneProcess()

jest.setTimeout(60_000)

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
beforeEach(async () => {
  directory = await temporaryDirectory()
})
afterEach(() => directory.remove())

const someUser = 'usr_0123456789abcdef01234567'

describe('a command that calls the payment provider', () => {
  it.each([
    ['reconcile'],
    ['reconcile --all'],
    [`reconcile --customer ${someUser}`],
    ['webhooks replay evt_1'],
  ])('%s refuses with one sentence and creates nothing while no product runs', async (command) => {
    const port = String(await freePort())
    const dataDir = join(directory.path, 'data')
    const settings = { DATA_DIR: dataDir, SANDBOX_PORT: port }
    const { code, stdout, stderr } = await runBilling(settings, ...command.split(' '))
    expect(stderr).toBe(
      `The sandbox at http://127.0.0.1:${port} does not answer, and the command uses it as the payment provider. Start the product with npm start and run the command again, or set STRIPE_SECRET_KEY to use an account at Stripe.\n`,
    )
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(existsSync(dataDir)).toBe(false)
  })

  it('reconcile refuses --all beside --customer with one sentence', async () => {
    const settings = { DATA_DIR: join(directory.path, 'data') }
    expect(await runBilling(settings, 'reconcile', '--all', '--customer', someUser)).toEqual({
      code: 1,
      stdout: '',
      stderr: '--all synchronizes every customer and --customer only one: name one of the two.\n',
    })
  })

  it('stripe setup refuses with one sentence if the sandbox does not answer', async () => {
    const port = String(await freePort())
    const { code, stdout, stderr } = await runBilling(
      { DATA_DIR: directory.path, STRIPE_SECRET_KEY: 'sk_test_sandbox', SANDBOX_PORT: port },
      'stripe',
      'setup',
    )
    expect(stderr).toMatch(
      new RegExp(
        `^The sandbox at http://127\\.0\\.0\\.1:${port} does not answer, .* npm start .*\n$`,
      ),
    )
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  })

  it('names a misspelled setting first', async () => {
    const dataDir = join(directory.path, 'data')
    const settings = { DATA_DIR: dataDir, SANDBOX_PROT: '1' }
    const { code, stderr } = await runBilling(settings, 'reconcile')
    expect(code).toBe(1)
    expect(stderr).toContain('SANDBOX_PROT')
    expect(existsSync(dataDir)).toBe(false)
  })
})

describe('billing demo', () => {
  it('refuses a first day in the past and creates nothing', async () => {
    const dataDir = join(directory.path, 'data')
    const settings = { DATA_DIR: dataDir }
    const { code, stdout, stderr } = await runBilling(settings, 'demo', '--start', '2020-01-01')
    expect(stderr).toMatch(/^--start is 2020-01-01, and .* choose a later day\.\n$/)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(existsSync(dataDir)).toBe(false)
  })
})
