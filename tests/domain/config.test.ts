import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { readConfig } from '#services/config'
import { StartupError } from '#services/startup-error'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'billing-config-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const read = (env: Record<string, string> = {}) => readConfig({ DATA_DIR: dataDir, ...env })
const hex = 'ab'.repeat(32)
const real = {
  STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1', STRIPE_PRICE_MONTHLY: 'price_1', STRIPE_PRICE_SIX_MONTH: 'price_2',
  STRIPE_PRICE_ANNUAL: 'price_3', SMTP_URL: 'smtp://mail.example:587', SESSION_SECRET: 'x'.repeat(32), MASTER_KEY: hex,
  EMAIL_HMAC_KEY: hex, AUDIT_KEY: hex, ADMIN_PASSWORD_HASH: 'scrypt$salt$hash',
}

describe('settings', () => {
  it('need none to try the product', () => {
    expect(read()).toMatchObject({ publicUrl: 'http://localhost:3000', sandbox: { port: 3001, playsStripe: true, playsMail: true }, databaseUrl: null })
  })

  it('that the sandbox makes up are the same at the next start, and private', () => {
    const first = read()
    const { masterKey, admin } = read()
    expect({ masterKey, admin }).toEqual({ masterKey: first.masterKey, admin: first.admin })
    expect(statSync(join(dataDir, 'sandbox-secrets.json')).mode & 0o077).toBe(0)
  })

  it('that hold every secret write nothing, so that a container can be read-only', () => {
    const { SESSION_SECRET, MASTER_KEY, EMAIL_HMAC_KEY, AUDIT_KEY, STRIPE_WEBHOOK_SECRET, ADMIN_PASSWORD_HASH } = real
    read({ SESSION_SECRET, MASTER_KEY, EMAIL_HMAC_KEY, AUDIT_KEY, STRIPE_WEBHOOK_SECRET, ADMIN_PASSWORD_HASH })
    expect(readdirSync(dataDir)).toEqual([])
  })

  it('name a sandbox that several processes share, and then everything that they must agree on', () => {
    expect(() => read({ SANDBOX_URL: 'http://sandbox:3001' })).toThrow(/missing: STRIPE_WEBHOOK_SECRET, SMTP_URL, SESSION_SECRET, MASTER_KEY/)
    const { SMTP_URL, SESSION_SECRET, MASTER_KEY, EMAIL_HMAC_KEY, AUDIT_KEY, STRIPE_WEBHOOK_SECRET } = real
    const shared = { SMTP_URL, SESSION_SECRET, MASTER_KEY, EMAIL_HMAC_KEY, AUDIT_KEY, STRIPE_WEBHOOK_SECRET }
    expect(read({ SANDBOX_URL: 'http://sandbox:3001/', ...shared }).sandbox).toMatchObject({ url: 'http://sandbox:3001', playsStripe: true, playsMail: false })
  })

  it('that are damaged on disk are never made up anew, because the data depends on them', () => {
    read()
    const path = join(dataDir, 'sandbox-secrets.json')
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, 40))
    expect(() => read()).toThrow(/is damaged\. Put back a copy/)
  })

  it('that are wrong are all named at once', () => {
    expect(() => read({ PORT: 'many', DATABASE_URL: 'mysql://x' })).toThrow(/PORT .*DATABASE_URL must look like postgres:/)
  })

  it('that are empty count as not set', () => {
    expect(read({ STRIPE_SECRET_KEY: '', DATABASE_URL: ' ' })).toMatchObject({ databaseUrl: null, sandbox: { playsStripe: true } })
  })

  it('use real keys without a sandbox when all are there', () => {
    const config = read(real)
    expect(config).toMatchObject({ sandbox: null, stripe: { secretKey: 'sk_test_1', livemode: false, priceIds: { annual: 'price_3' } } })
  })

  it('know a live key by its name', () => {
    expect(read({ ...real, STRIPE_SECRET_KEY: 'sk_live_1' }).stripe.livemode).toBe(true)
  })

  it('stop a production start on the sandbox, and name everything that is missing', () => {
    const start = () => read({ NODE_ENV: 'production' })
    expect(start).toThrow(StartupError)
    expect(start).toThrow(/STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET.*SMTP_URL.*MASTER_KEY.*ADMIN_PASSWORD_HASH, PUBLIC_URL/)
    expect(read({ NODE_ENV: 'production', ALLOW_SANDBOX: '1' }).sandbox).not.toBeNull()
  })

  it('refuse a public address over http', () => {
    expect(() => read({ PUBLIC_URL: 'http://billing.example' })).toThrow(/Use https/)
    expect(read({ PUBLIC_URL: 'https://billing.example/' }).publicUrl).toBe('https://billing.example')
  })

  it('accept two webhook secrets while one is being replaced', () => {
    expect(read({ ...real, STRIPE_WEBHOOK_SECRET: 'whsec_1, whsec_2' }).stripe.webhookSecrets).toEqual(['whsec_1', 'whsec_2'])
  })
})
