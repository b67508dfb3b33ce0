import { selfSigned } from '../support/machine/self-signed.ts'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { plans, priceSettingOf } from '#contracts/plans'
import { StartupError } from '#services/foundation/startup-error'
import { opensWhenReady } from '#services/settings/config'
import { readConfig } from '#services/settings/read-config'
import { realSettings as real, sharedSecrets } from '../support/data/real-settings.ts'

let dataDir: string
const read = (env: Record<string, string> = {}) => readConfig({ DATA_DIR: dataDir, ...env })

describe('reading the settings', () => {
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'billing-config-'))
  })
  afterEach(() => rmSync(dataDir, { recursive: true }))

  it('gives a start with the sandbox if no setting is set', () => {
    expect(read()).toMatchObject({
      publicUrl: 'http://localhost:3000',
      sandbox: { port: 3001, simulatesStripe: true, simulatesMail: true },
      databaseUrl: null,
    })
  })

  it('generates secrets for the sandbox, keeps them in a private file, and returns them at the next start', () => {
    const first = read()
    const { masterKey, admin } = read()
    expect({ masterKey, admin }).toEqual({ masterKey: first.masterKey, admin: first.admin })
    expect(statSync(join(dataDir, 'sandbox-secrets.json')).mode & 0o077).toBe(0)
  })

  it('gives the countries of texts, and refuses a code that is none', () => {
    expect(read().textCountries).toEqual(new Set(['US', 'CA']))
    expect(read({ TEXT_COUNTRIES: 'US,GB' }).textCountries).toEqual(new Set(['US', 'GB']))
    for (const codes of ['UK', 'us', 'US, CA', 'US,', 'XX', 'Canada'])
      expect(() => read({ TEXT_COUNTRIES: codes })).toThrow(
        `TEXT_COUNTRIES is "${codes}" and must be codes of countries, separated by commas, such as US,CA`,
      )
  })

  it('refuses events without a MAC of this log unless UNPROVEN_EVENTS accepts them', () => {
    expect(read().acceptsUnprovenEvents).toBe(false)
    expect(read({ UNPROVEN_EVENTS: '' }).acceptsUnprovenEvents).toBe(false)
    expect(read({ UNPROVEN_EVENTS: 'refuse' }).acceptsUnprovenEvents).toBe(false)
    expect(read({ UNPROVEN_EVENTS: 'accept' }).acceptsUnprovenEvents).toBe(true)
    for (const value of ['1', 'true', 'Accept', 'accept,refuse'])
      expect(() => read({ UNPROVEN_EVENTS: value })).toThrow(
        `UNPROVEN_EVENTS is "${value}" and must be refuse or accept. Correct it and start again.`,
      )
  })

  it('gives the places of seals, and refuses a list of what nothing publishes', () => {
    expect(read().sealPublishing).toEqual({ directory: null, program: null, listProgram: null })
    expect(read({ SEAL_DIRECTORY: '/mnt/seals' }).sealPublishing.directory).toBe('/mnt/seals')
    expect(() => read({ SEAL_DIRECTORY: 'seals' })).toThrow(
      'SEAL_DIRECTORY is "seals" and must be an absolute path',
    )
    expect(() => read({ SEAL_LIST_PROGRAM: '/usr/local/bin/list' })).toThrow(
      'SEAL_PROGRAM, which publishes the seals, is not',
    )
  })

  it('writes no file if every secret is set, so that a container can be read-only', () => {
    read({ ...sharedSecrets, ADMIN_PASSWORD_HASH: 'scrypt$salt$hash' })
    expect(readdirSync(dataDir)).toEqual([])
  })

  it('requires the secrets that processes share if SANDBOX_URL names a shared sandbox', () => {
    expect(() => read({ SANDBOX_URL: 'http://sandbox:3001' })).toThrow(
      /missing: STRIPE_WEBHOOK_SECRET, SMTP_URL, SESSION_SECRET, MASTER_KEY/,
    )
    const shared = { ...sharedSecrets, SMTP_URL: 'smtp://mail.example:587' }
    expect(read({ SANDBOX_URL: 'http://sandbox:3001/', ...shared }).sandbox).toMatchObject({
      url: 'http://sandbox:3001',
      simulatesStripe: true,
      simulatesMail: false,
    })
  })

  it('refuses a damaged file of secrets, and does not generate new secrets, because stored data depends on them', () => {
    read()
    const path = join(dataDir, 'sandbox-secrets.json')
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, 40))
    expect(() => read()).toThrow(/is damaged\. Restore a copy/)
  })

  it('reports all wrong settings in one error, with their values', () => {
    expect(() => read({ PORT: 'many', DATABASE_URL: 'mysql://x', LOG_LEVEL: 'loud' })).toThrow(
      'PORT is "many" and must be a whole number from 1 to 65535; DATABASE_URL must look like postgres://user:password@host:5432/database; ' +
        'LOG_LEVEL is "loud" and must be fatal, error, warn, info, debug, trace or silent. Correct them and start again.',
    )
  })

  it.each([
    [
      'PORT',
      '70000',
      'PORT is "70000" and must be a whole number from 1 to 65535. Correct it and start again.',
    ],
    ['PORT', '30.5', 'PORT is "30.5" and must be a whole number from 1 to 65535.'],
    ['PORT', '0x10', 'PORT is "0x10" and must be a whole number from 1 to 65535.'],
    ['NODE_ENV', 'prod', 'NODE_ENV is "prod" and must be spelled "production".'],
    ['NODE_ENV', 'Production', 'NODE_ENV is "Production" and must be spelled "production".'],
    ['NODE_ENV', 'prodcution', 'NODE_ENV is "prodcution" and must be spelled "production".'],
    ...['PORT', 'METRICS_PORT', 'SANDBOX_PORT'].map(
      (name) => [name, '0', `${name} is "0" and must be a whole number from 1 to 65535.`] as const,
    ),
    ...[',', 'whsec_a,', ',whsec_a', 'whsec_a,,whsec_b', 'whsec_a, ,whsec_b'].map(
      (value) =>
        [
          'STRIPE_WEBHOOK_SECRET',
          value,
          'STRIPE_WEBHOOK_SECRET has an empty secret beside a comma. Remove the comma.',
        ] as const,
    ),
    ['METRICS_PORT', '-1', 'METRICS_PORT is "-1" and must be a whole number from 1 to 65535.'],
    ...['-22', '0', '11', '301', '1e9', '9999999999', 'many'].map(
      (value) =>
        [
          'REQUEST_CONNECTIONS',
          value,
          `REQUEST_CONNECTIONS is "${value}" and must be a whole number from 12 to 300. Correct it and start again.`,
        ] as const,
    ),
    ['PROJECTION_SHARDS', '0', 'PROJECTION_SHARDS is "0" and must be a whole number from 1 to 64.'],
    ['ALLOW_SANDBOX', 'yes', 'ALLOW_SANDBOX is "yes" and must be 0, 1, true or false.'],
    ['ROLE', 'worker', 'ROLE is "worker" and must be all, api, projector or reactor.'],
    [
      'PUBLIC_URL',
      'billing.example',
      'PUBLIC_URL is "billing.example" and must be an address such as https://billing.example.com.',
    ],
    ...['/app', '/?a=1', '?a=1', '/#top', '?', '#'].map(
      (rest) =>
        [
          'PUBLIC_URL',
          `https://billing.example${rest}`,
          `PUBLIC_URL is "https://billing.example${rest}" and must be only scheme, host and port, such as https://billing.example.com.`,
        ] as const,
    ),
    [
      'PUBLIC_URL',
      'https://me:sesame@billing.example',
      'PUBLIC_URL is "https://***@billing.example" and must be only scheme, host and port',
    ],
    [
      'SANDBOX_URL',
      'ftp://me:sesame@sandbox',
      'SANDBOX_URL is "ftp://***@sandbox" and must be an address',
    ],
    [
      'SANDBOX_PORT',
      'tcp://10.96.0.7:3001',
      'SANDBOX_PORT is "tcp://10.96.0.7:3001" and must be a whole number from 1 to 65535 (Kubernetes sets this value',
    ],
  ])('refuses %s=%s with a sentence that states the rule', (name, value, sentence) => {
    expect(() => read({ [name]: value })).toThrow(sentence)
    expect(() => read({ [name]: value })).toThrow(StartupError)
  })

  it('signs the webhooks of connected accounts with a secret of their own', () => {
    const { connectWebhookSecrets, webhookSecrets } = read({
      STRIPE_WEBHOOK_SECRET: 'whsec_a',
    }).stripe
    expect([webhookSecrets, connectWebhookSecrets]).toEqual([['whsec_a'], ['whsec_a_connect']])
    expect(read(real).stripe.connectWebhookSecrets).toEqual([])
    expect(
      read({ ...real, STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_c, whsec_d' }).stripe,
    ).toMatchObject({ connectWebhookSecrets: ['whsec_c', 'whsec_d'] })
    expect(() => read({ ...real, STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_c,' })).toThrow(
      'STRIPE_CONNECT_WEBHOOK_SECRET has an empty secret beside a comma. Remove the comma.',
    )
  })

  it('takes a publishable key beside real keys of the same mode only', () => {
    const key = { STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }
    expect(read({ ...real, ...key }).stripe.publishableKey).toBe('pk_test_1')
    expect(read(real).stripe.publishableKey).toBeNull()
    expect(read(key).stripe.publishableKey).toBeNull()
    expect(() => read({ ...real, ...key, STRIPE_SECRET_KEY: 'sk_live_1' })).toThrow(
      'STRIPE_PUBLISHABLE_KEY and STRIPE_SECRET_KEY are of different modes',
    )
    expect(() => read({ STRIPE_PUBLISHABLE_KEY: 'sk_live_1' })).toThrow(
      'STRIPE_PUBLISHABLE_KEY is "sk_live_1" and must be a publishable key of Stripe',
    )
  })

  it('reads two webhook secrets', () => {
    expect(read({ ...real, STRIPE_WEBHOOK_SECRET: 'whsec_a, whsec_b' })).toMatchObject({
      stripe: { webhookSecrets: ['whsec_a', 'whsec_b'] },
    })
  })

  it.each([
    ['DATABASE_URL', 'mysql://billing:sesame@db/x'],
    ['SMTP_URL', 'https://me:sesame@mail'],
    ['SESSION_SECRET', 'sesame'],
    ['MASTER_KEY', 'sesame'],
    ['EMAIL_HMAC_KEY', 'sesame'],
    ['PORTAL_KEY', 'sesame'],
    ['AUDIT_KEY', 'sesame'],
  ])('refuses a wrong %s without its value, which may be a secret', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(new RegExp(`^${name} must (?!.*sesame)`))
  })

  it('refuses a misspelled name, before the product uses a wrong database', () => {
    expect(() => read({ DATABSE_URL: 'postgres://db/billing' })).toThrow(
      /^DATABSE_URL is not a setting: did you mean DATABASE_URL\?/,
    )
  })

  it.each([
    [
      { PORT: '4000', SANDBOX_PORT: '4000' },
      'PORT and SANDBOX_PORT are the same port, 4000: set SANDBOX_PORT to another port.',
    ],
    [
      { PORT: '3001' },
      'PORT and SANDBOX_PORT are the same port, 3001: set SANDBOX_PORT to another port.',
    ],
    [
      { METRICS_PORT: '3000' },
      'PORT and METRICS_PORT are the same port, 3000: set METRICS_PORT to another port.',
    ],
    [
      { METRICS_PORT: '3001' },
      'SANDBOX_PORT and METRICS_PORT are the same port, 3001: set METRICS_PORT to another port.',
    ],
  ])('refuses one port for two listeners, and names both settings: %p', (env, sentence) => {
    expect(() => read(env)).toThrow(sentence)
  })

  it('serves metrics on this machine only, unless METRICS_HOST is set', () => {
    expect(read().metrics).toBeNull()
    expect(read({ METRICS_PORT: '9464' }).metrics).toEqual({ port: 9464, host: '127.0.0.1' })
    expect(read({ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' }).metrics).toEqual({
      port: 9464,
      host: '0.0.0.0',
    })
  })

  it('traces only if a collector is set', () => {
    expect(read().tracing).toBeNull()
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }).tracing).toBeNull()
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }).tracing).toEqual({
      endpoint: 'http://collector:4318',
    })
    expect(() => read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).toThrow(
      'OTEL_EXPORTER_OTLP_ENDPOINT is "collector:4318" and must be an address such as http://localhost:4318',
    )
    expect(() => read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318?key=1' })).toThrow(
      'must be an address without ? and #, such as http://localhost:4318',
    )
    // Without a scheme, too.
    expect(() => read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'user:secret@collector:4318' })).toThrow(
      'OTEL_EXPORTER_OTLP_ENDPOINT is "***@collector:4318" and must be an address',
    )
  })

  it('gives the address of mails that come back: none with an own mail server, unless it is set', () => {
    const sandboxed = read()
    expect(sandboxed.bounces).toEqual({
      address: expect.stringMatching(/^bounce@/),
      secret: sandboxed.stripe.webhookSecrets[0],
      port: null,
      tls: null,
    })
    expect(read(real).bounces).toBeNull()
    const secret = 's'.repeat(32)
    const set = { ...real, BOUNCE_ADDRESS: 'bounce@example.com', BOUNCE_SECRET: secret }
    expect(read({ ...set, BOUNCE_PORT: '2525' }).bounces).toEqual({
      address: 'bounce@example.com',
      secret,
      port: 2525,
      tls: null,
    })
    const { cert, key } = selfSigned
    const tls = { BOUNCE_TLS_CERTIFICATE: cert, BOUNCE_TLS_KEY: key }
    expect(read({ ...set, BOUNCE_PORT: '2525', ...tls }).bounces?.tls).toEqual({ cert, key })
  })

  it.each([
    [{ BOUNCE_ADDRESS: 'bounce@example.com' }, 'the product does not receive what comes to it'],
    [{ BOUNCE_SECRET: 's'.repeat(32) }, 'and BOUNCE_ADDRESS is not'],
    [{ BOUNCE_PORT: '2525' }, 'and BOUNCE_ADDRESS is not'],
    [{ BOUNCE_TLS_KEY: selfSigned.key }, 'BOUNCE_TLS_CERTIFICATE, BOUNCE_TLS_KEY and BOUNCE_PORT'],
    [
      {
        BOUNCE_TLS_KEY: selfSigned.key,
        BOUNCE_TLS_CERTIFICATE: selfSigned.key,
        BOUNCE_PORT: '2525',
      },
      'BOUNCE_TLS_CERTIFICATE must be a text in PEM',
    ],
    [
      {
        BOUNCE_TLS_KEY: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----',
        BOUNCE_TLS_CERTIFICATE: selfSigned.cert,
        BOUNCE_PORT: '2525',
      },
      'are no pair',
    ],
    [{ BOUNCE_ADDRESS: 'bounce' }, 'must be an e-mail address such as bounce@example.com'],
    [{ BOUNCE_ADDRESS: 'a+b@example.com' }, 'must have at most 18 signs before the @, and no +'],
    [{ BOUNCE_ADDRESS: `${'b'.repeat(19)}@example.com` }, 'must have at most 18 signs'],
    [{ BOUNCE_SECRET: 'short' }, 'BOUNCE_SECRET must have 32 characters or more'],
  ])('refuses %j beside an own mail server', (env, sentence) => {
    expect(() => read({ ...real, ...env })).toThrow(sentence)
  })

  it('refuses a METRICS_HOST without METRICS_PORT', () => {
    expect(() => read({ METRICS_HOST: '0.0.0.0' })).toThrow(
      'METRICS_HOST is 0.0.0.0, and METRICS_PORT is not set, so no metrics would be served.',
    )
  })

  it('opens the port of an api when it is ready, if a proxy and an own database are there', () => {
    const behindProxy = { ROLE: 'api', TRUST_PROXY: '1', DATABASE_URL: 'postgres://db/billing' }
    const opens = (env: Record<string, string>) => opensWhenReady(read({ ...behindProxy, ...env }))
    expect(opens({})).toBe(true)
    expect([opens({ ROLE: 'all' }), opens({ ROLE: 'projector' })]).toEqual([false, false])
    expect([opens({ TRUST_PROXY: '0' }), opens({ DATABASE_URL: '' })]).toEqual([false, false])
  })

  it.each([[{ ...real, PORT: '3001' }], [{ ROLE: 'projector', PORT: '3001' }]])(
    'accepts the same port twice if only one listener uses it: %p',
    (env) => {
      expect(() => read(env)).not.toThrow()
    },
  )

  it('refuses a reactor that would have no payment provider to call', () => {
    expect(() => read({ ROLE: 'reactor' })).toThrow(
      'ROLE is reactor, and neither STRIPE_SECRET_KEY nor SANDBOX_URL is set.',
    )
    expect(read({ ...real, ROLE: 'reactor' })).toMatchObject({ role: 'reactor' })
  })

  it('treats an empty value as not set', () => {
    expect(read({ STRIPE_SECRET_KEY: '', DATABASE_URL: ' ' })).toMatchObject({
      databaseUrl: null,
      sandbox: { simulatesStripe: true },
    })
  })

  it('gives a start without the sandbox if all settings of the real services are set', () => {
    const config = read(real)
    expect(config).toMatchObject({
      sandbox: null,
      stripe: { secretKey: 'sk_test_1', livemode: false, priceIds: { annual: 'price_annual' } },
    })
  })

  it.each(plans.map(({ id }) => priceSettingOf(id)))(
    'requires %s if Stripe is real, with real mail and with the mail of the sandbox',
    (name) => {
      const live: Record<string, string> = { ...real, STRIPE_SECRET_KEY: 'sk_live_1' }
      const { [name]: _, ...withoutPrice } = live
      const { SMTP_URL: _smtp, ...withoutMail } = withoutPrice
      for (const env of [withoutPrice, withoutMail]) {
        const missing = new RegExp(`missing: .*${name}`)
        expect(() => read(env)).toThrow(missing)
        expect(() => read({ ...env, NODE_ENV: 'production', ALLOW_SANDBOX: '1' })).toThrow(missing)
      }
    },
  )

  it.each([
    [
      { ...real, STRIPE_PRICE_ANNUAL: 'price_monthly' },
      'STRIPE_PRICE_MONTHLY and STRIPE_PRICE_ANNUAL are the same price, price_monthly: set each to the price of its own plan.',
    ],
    [
      { STRIPE_PRICE_MONTHLY: 'price_sandbox_annual' },
      'STRIPE_PRICE_MONTHLY and STRIPE_PRICE_ANNUAL are the same price, price_sandbox_annual: set each to the price of its own plan.',
    ],
  ])('refuses one price for two plans, and names both settings: %#', (env, sentence) => {
    expect(() => read(env)).toThrow(sentence)
  })

  it('recognizes a live key of Stripe by its prefix', () => {
    expect(read({ ...real, STRIPE_SECRET_KEY: 'sk_live_1' }).stripe.livemode).toBe(true)
  })

  it('refuses a production start with the sandbox, and names every missing setting', () => {
    const start = () => read({ NODE_ENV: 'production' })
    expect(start).toThrow(StartupError)
    expect(start).toThrow(
      /STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET.*SMTP_URL.*MASTER_KEY.*ADMIN_PASSWORD_HASH, PUBLIC_URL/,
    )
    expect(read({ NODE_ENV: 'production', ALLOW_SANDBOX: '1' }).sandbox).not.toBeNull()
  })

  const everyService = /STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, .*SMTP_URL.*ADMIN_PASSWORD_HASH\./
  const { SMTP_URL: _smtp, ...sandboxedMail } = real
  const { STRIPE_SECRET_KEY: _key, ...sandboxedStripe } = real

  it.each([undefined, 'development', 'production'])(
    'refuses a public address with the sandbox, whatever NODE_ENV is: %s',
    (nodeEnv) => {
      const env = {
        PUBLIC_URL: 'https://billing.example',
        ...(nodeEnv !== undefined && { NODE_ENV: nodeEnv }),
      }
      expect(() => read(env)).toThrow(everyService)
      expect(() => read(env)).toThrow(
        /^PUBLIC_URL is https:\/\/billing\.example, a public address, .* set ALLOW_SANDBOX=1\.$/,
      )
      expect(read({ ...env, ALLOW_SANDBOX: '1' })).toMatchObject({
        publicUrl: 'https://billing.example',
        sandbox: { simulatesStripe: true, simulatesMail: true },
      })
    },
  )

  it.each([
    ['Stripe', sandboxedStripe, 'STRIPE_SECRET_KEY'],
    ['mail', sandboxedMail, 'SMTP_URL'],
    [
      'Stripe, at SANDBOX_URL,',
      { ...sandboxedStripe, SANDBOX_URL: 'http://10.0.0.7:3001' },
      'STRIPE_SECRET_KEY',
    ],
  ])('refuses a public address if only %s is simulated', (_what, env, missing) => {
    const start = () => read({ ...env, PUBLIC_URL: 'https://billing.example' })
    expect(start).toThrow(new RegExp(`these settings are missing: ${missing}\\.`))
  })

  it.each(['http://192.168.1.20:3000', 'http://0.0.0.0:3000', 'https://localhost.example'])(
    'treats %s as a public address: other machines may reach it',
    (publicUrl) => expect(() => read({ PUBLIC_URL: publicUrl })).toThrow(/a public address/),
  )

  it.each([
    'http://localhost:4000',
    'https://localhost',
    'http://127.0.0.1:3000',
    'http://127.1.2.3:3000',
    'http://[::1]:3000',
    'http://shop.localhost:3000',
    'http://LOCALHOST:3000',
  ])('accepts the local address %s with the sandbox', (publicUrl) => {
    expect(read({ PUBLIC_URL: publicUrl }).sandbox).not.toBeNull()
  })

  it.each([
    [{}, true],
    [{ PUBLIC_URL: 'http://127.0.0.1:8080', HOST: '::1' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '::' }, false],
    [{ HOST: 'not a host' }, false],
    [{ PUBLIC_URL: 'https://billing.example' }, false],
    [{ PUBLIC_URL: 'https://billing.example', API_DOCS: '1' }, true],
    [{ HOST: '0.0.0.0', API_DOCS: '1' }, true],
    [{ API_DOCS: '0' }, false],
  ])(
    'serves the API documentation only on this machine unless API_DOCS is set: %j is %s',
    (env, apiDocs) => {
      expect(read({ ...real, ...env }).apiDocs).toBe(apiDocs)
    },
  )

  it('gives the sandbox the loopback address, whatever HOST is, or the address of SANDBOX_HOST', () => {
    expect(read({ HOST: '0.0.0.0' })).toMatchObject({
      host: '0.0.0.0',
      sandbox: { host: '127.0.0.1' },
    })
    expect(read({ SANDBOX_HOST: '10.0.0.7' })).toMatchObject({
      host: '127.0.0.1',
      sandbox: { host: '10.0.0.7' },
    })
  })

  it('requires DATABASE_URL or DATA_DIR in production, so that no start creates an empty database', () => {
    const production = { ...real, NODE_ENV: 'production', PUBLIC_URL: 'https://billing.example' }
    const unnamed =
      /^NODE_ENV is production, and neither DATABASE_URL nor DATA_DIR is set\. Set DATABASE_URL to .*, or DATA_DIR to /
    expect(() => readConfig(production)).toThrow(unnamed)
    expect(() => readConfig({ NODE_ENV: 'production', ALLOW_SANDBOX: '1' })).toThrow(unnamed)
    expect(() => readConfig({ NODE_ENV: 'production' })).toThrow(
      /missing: STRIPE_SECRET_KEY, .*, DATABASE_URL \(or DATA_DIR, for the embedded database\)\./,
    )
    expect(readConfig({ ...production, DATABASE_URL: 'postgres://db/billing' }).databaseUrl).toBe(
      'postgres://db/billing',
    )
    expect(readConfig({ ...production, DATA_DIR: '/var/lib/billing' })).toMatchObject({
      databaseUrl: null,
      dataDir: '/var/lib/billing',
    })
  })

  it('refuses a public address over http, unless ALLOW_SANDBOX is 1', () => {
    const open = { ...real, PUBLIC_URL: 'http://billing.example' }
    expect(() => read(open)).toThrow(/^PUBLIC_URL is http:\/\/billing\.example: .*Use https/)
    expect(read({ ...open, ALLOW_SANDBOX: '1' }).publicUrl).toBe('http://billing.example')
    expect(read({ ...open, PUBLIC_URL: 'https://billing.example/' }).publicUrl).toBe(
      'https://billing.example',
    )
  })

  it.each([
    ['HTTPS://Billing.example/', 'https://billing.example'],
    ['Http://LOCALHOST:3000', 'http://localhost:3000'],
  ])('writes the scheme and the host of PUBLIC_URL in lower case: %s', (given, publicUrl) => {
    expect(read({ ...real, PUBLIC_URL: given }).publicUrl).toBe(publicUrl)
  })

  it('accepts the former MASTER_KEY, EMAIL_HMAC_KEY and SESSION_SECRET beside the new ones', () => {
    const [former, latter] = ['ab'.repeat(32), 'cd'.repeat(32)]
    const changing = {
      ...real,
      MASTER_KEY: latter,
      MASTER_KEY_PREVIOUS: former,
      EMAIL_HMAC_KEY: latter,
      EMAIL_HMAC_KEY_PREVIOUS: former,
      SESSION_SECRET: latter,
      SESSION_SECRET_PREVIOUS: former,
    }
    expect(read(changing)).toMatchObject({
      masterKey: Buffer.from(latter, 'hex'),
      previousMasterKey: Buffer.from(former, 'hex'),
      emailHmacKey: Buffer.from(latter, 'hex'),
      previousEmailHmacKey: Buffer.from(former, 'hex'),
      sessionSecrets: [latter, former],
    })
    expect(read(real)).toMatchObject({ previousMasterKey: null, previousEmailHmacKey: null })
    expect(() => read({ ...changing, MASTER_KEY_PREVIOUS: latter.toUpperCase() })).toThrow(
      'MASTER_KEY_PREVIOUS has the same value as MASTER_KEY. Set MASTER_KEY to the new value and MASTER_KEY_PREVIOUS to the former one, or remove MASTER_KEY_PREVIOUS.',
    )
    expect(() => read({ ...changing, EMAIL_HMAC_KEY_PREVIOUS: latter })).toThrow(
      /^EMAIL_HMAC_KEY_PREVIOUS has the same value as EMAIL_HMAC_KEY\./,
    )
    expect(() => read({ ...changing, MASTER_KEY_PREVIOUS: 'sesame' })).toThrow(
      /^MASTER_KEY_PREVIOUS must be 64 hexadecimal digits/,
    )
  })

  it('accepts two webhook secrets, so that an operator can replace one', () => {
    expect(
      read({ ...real, STRIPE_WEBHOOK_SECRET: 'whsec_1, whsec_2' }).stripe.webhookSecrets,
    ).toEqual(['whsec_1', 'whsec_2'])
  })
})
