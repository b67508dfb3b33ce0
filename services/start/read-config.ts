import { isIPv6 } from 'node:net'
import { brand } from '#contracts/brand/brand'
import { plans, priceSettingOf, sandboxPriceIdOf, type PlanId } from '#contracts/plans'
import { parseConnectionString } from '#services/event-store/eventstoredb/connection-string'
import { StartupError } from '#services/foundation/startup-error'
import { domainOf } from '#services/mail/mailbox'
import { servesPages, type Config } from './config.ts'
import { isLocalAddress } from './is-local-address.ts'
import { refuseIncomplete, refuseUnnamedDatabase, secretNames } from './refuse-incomplete.ts'
import { refuseMissing } from './refuse-missing.ts'
import { refuseMisspelledSettings } from './refuse-misspelled-settings.ts'
import { refuseSharedPorts } from './refuse-shared-ports.ts'
import { refuseSharedPrices } from './refuse-shared-prices.ts'
import { sandboxSecrets } from './sandbox-secrets.ts'
import { parseSettings, type Settings } from './settings.ts'
import { withPrevious } from './with-previous.ts'

const defaultDataDir = '.data'

/**
 * Reads the environment once. With the sandbox, missing secrets are generated and kept in DATA_DIR.
 * @throws StartupError that names every misspelled, wrong or missing setting
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  refuseMisspelledSettings(env)
  const settings = parseSettings(env)
  const simulatesStripe = settings.STRIPE_SECRET_KEY === undefined
  const simulatesMail = settings.SMTP_URL === undefined
  const isSandboxed = simulatesStripe || simulatesMail
  const isProduction = settings.NODE_ENV === 'production'
  const publicUrl = publicUrlOf(settings)
  const isPublic = !isLocalAddress(publicUrl)

  refuseIncomplete(settings, {
    isProduction,
    publicUrl: isPublic ? publicUrl : null,
    simulatesStripe,
    isSandboxed,
  })
  refuseUnnamedDatabase(settings, isProduction)
  if (simulatesStripe) refuseReactorWithoutSandbox(settings)
  refuseSharedPorts(
    settings,
    isSandboxed && settings.SANDBOX_URL === undefined && servesPages(settings.ROLE),
  )
  if (isPublic && !settings.ALLOW_SANDBOX) refuseOpenHttp(publicUrl)
  if (settings.EVENTSTORE_URL !== undefined) parseConnectionString(settings.EVENTSTORE_URL)

  const dataDir = settings.DATA_DIR ?? defaultDataDir
  // Generates secrets only if one is missing, so that a container with all secrets needs no
  // writable directory.
  const generated = isSandboxed && !hasEverySecret(settings) ? sandboxSecrets(dataDir) : null
  const secret = (name: (typeof secretNames)[number]) =>
    settings[name] ?? required(generated?.[name], name)
  const [masterKey, previousMasterKey] = withPrevious(settings, 'MASTER_KEY', secret('MASTER_KEY'))
  const [emailHmacKey, previousEmailHmacKey] = withPrevious(
    settings,
    'EMAIL_HMAC_KEY',
    secret('EMAIL_HMAC_KEY'),
  )
  const [portalKey, previousPortalKey] = withPrevious(settings, 'PORTAL_KEY', secret('PORTAL_KEY'))
  const priceIds = priceIdsOf(settings, simulatesStripe)
  refuseSharedPrices(priceIds)
  const webhookSecrets = webhookSecretsOf(
    required(
      settings.STRIPE_WEBHOOK_SECRET ?? generated?.STRIPE_WEBHOOK_SECRET,
      'STRIPE_WEBHOOK_SECRET',
    ),
    'STRIPE_WEBHOOK_SECRET',
  )
  const secretKey = settings.STRIPE_SECRET_KEY ?? 'sk_test_sandbox'

  return {
    isProduction,
    role: settings.ROLE,
    logLevel: settings.LOG_LEVEL ?? (isProduction ? 'info' : 'warn'),
    projectionShards: settings.PROJECTION_SHARDS,
    requestConnections: settings.REQUEST_CONNECTIONS,
    port: settings.PORT,
    host: settings.HOST,
    metrics: metricsOf(settings),
    tracing:
      settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? null
        : { endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT },
    publicUrl,
    trustProxy: settings.TRUST_PROXY,
    apiDocs: settings.API_DOCS ?? (!isPublic && listensLocally(settings.HOST)),
    dataDir,
    databaseUrl: settings.DATABASE_URL ?? null,
    eventStoreUrl: settings.EVENTSTORE_URL ?? null,
    sandbox: isSandboxed
      ? {
          url: settings.SANDBOX_URL?.replace(/\/+$/, '') ?? null,
          host: settings.SANDBOX_HOST,
          port: settings.SANDBOX_PORT,
          simulatesStripe,
          simulatesMail,
        }
      : null,
    stripe: {
      secretKey,
      publishableKey: publishableKeyOf(settings, secretKey),
      webhookSecrets,
      connectWebhookSecrets: connectSecretsOf(settings, webhookSecrets[0]),
      livemode: isLiveKey(secretKey),
      priceIds,
      portalConfiguration: settings.STRIPE_PORTAL_CONFIGURATION ?? null,
    },
    smtpUrl: settings.SMTP_URL ?? null,
    mailFrom: settings.MAIL_FROM,
    bounces: bouncesOf(settings, simulatesMail ? (webhookSecrets[0] ?? null) : null),
    reportingTimeZone: settings.REPORTING_TIME_ZONE,
    mailsPerSecond: settings.MAILS_PER_SECOND,
    textCountries: settings.TEXT_COUNTRIES,
    twilio: twilioOf(settings) ?? (isSandboxed ? 'sandbox' : null),
    secondPerson: {
      refundAbove: settings.SECOND_PERSON_REFUND_ABOVE ?? null,
      exportAbove: settings.SECOND_PERSON_EXPORT_ABOVE ?? null,
    },
    clockUrl:
      settings.CLOCK_URL ??
      (settings.SANDBOX_URL === undefined
        ? null
        : `${settings.SANDBOX_URL.replace(/\/+$/, '')}/clock`),
    admin: adminOf(settings, generated?.ADMIN_PASSWORD),
    sessionSecrets: withPrevious(settings, 'SESSION_SECRET', secret('SESSION_SECRET')),
    masterKey: Buffer.from(masterKey, 'hex'),
    previousMasterKey:
      previousMasterKey === undefined ? null : Buffer.from(previousMasterKey, 'hex'),
    emailHmacKey: Buffer.from(emailHmacKey, 'hex'),
    previousEmailHmacKey:
      previousEmailHmacKey === undefined ? null : Buffer.from(previousEmailHmacKey, 'hex'),
    portalKey: Buffer.from(portalKey, 'hex'),
    previousPortalKey:
      previousPortalKey === undefined ? null : Buffer.from(previousPortalKey, 'hex'),
    auditKey: Buffer.from(secret('AUDIT_KEY'), 'hex'),
    acceptsUnprovenEvents: settings.UNPROVEN_EVENTS === 'accept',
    sealPublishing: sealPublishingOf(settings),
  }
}

/** @throws StartupError if published seals are listed and not published */
function sealPublishingOf(settings: Settings): Config['sealPublishing'] {
  const {
    SEAL_DIRECTORY: directory = null,
    SEAL_PROGRAM: program = null,
    SEAL_LIST_PROGRAM: listProgram = null,
  } = settings
  if (listProgram !== null && program === null)
    throw new StartupError(
      'SEAL_LIST_PROGRAM is set, and SEAL_PROGRAM, which publishes the seals, is not. Set both.',
    )
  return { directory, program, listProgram }
}

/**
 * With the sandbox's mail server, reports come under the secret that the sandbox has.
 * @throws StartupError if mails come back to where the product does not look, or the reverse
 */
function bouncesOf(settings: Settings, sandboxSecret: string | null): Config['bounces'] {
  const { BOUNCE_ADDRESS: address, BOUNCE_PORT: port = null } = settings
  const secret = settings.BOUNCE_SECRET ?? sandboxSecret
  if (address === undefined) {
    if (settings.BOUNCE_SECRET !== undefined || port !== null)
      throw new StartupError(
        'BOUNCE_SECRET or BOUNCE_PORT is set, and BOUNCE_ADDRESS is not. Set BOUNCE_ADDRESS to the address to which mails come back.',
      )
    return secret === null
      ? null
      : { address: `bounce@${domainOf(brand.senderEmail)}`, secret, port }
  }
  if (secret === null && port === null)
    throw new StartupError(
      'BOUNCE_ADDRESS is set, and the product does not receive what comes to it. Set BOUNCE_SECRET and have your mail server deliver it to /api/mail/delivery-reports, or set BOUNCE_PORT to receive it here.',
    )
  return { address, secret, port }
}

/** @throws StartupError for an empty secret: any caller could forge webhooks with it */
function webhookSecretsOf(setting: string, name: string): readonly string[] {
  const secrets = setting.split(',').map((secret) => secret.trim())
  if (secrets.includes(''))
    throw new StartupError(`${name} has an empty secret beside a comma. Remove the comma.`)
  return secrets
}

/**
 * The sandbox's secret follows from the other one, so that kept secrets and processes that share a
 * sandbox need no further setting.
 */
function connectSecretsOf(settings: Settings, webhookSecret = ''): readonly string[] {
  const setting = settings.STRIPE_CONNECT_WEBHOOK_SECRET
  if (setting !== undefined) return webhookSecretsOf(setting, 'STRIPE_CONNECT_WEBHOOK_SECRET')
  return settings.STRIPE_SECRET_KEY === undefined ? [`${webhookSecret}_connect`] : []
}

/**
 * With the sandbox no page loads anything from Stripe.
 * @throws StartupError if one key is of the test mode and the other one is not
 */
function publishableKeyOf(
  { STRIPE_PUBLISHABLE_KEY: key, STRIPE_SECRET_KEY: isReal }: Settings,
  secretKey: string,
): string | null {
  if (key === undefined || isReal === undefined) return null
  if (key.startsWith('pk_live_') !== isLiveKey(secretKey))
    throw new StartupError(
      'STRIPE_PUBLISHABLE_KEY and STRIPE_SECRET_KEY are of different modes: one is live, the other one is a test key. Set both from the same mode of your account at Stripe.',
    )
  return key
}

const isLiveKey = (secretKey: string) => /^[a-z]+_live_/.test(secretKey)

/**
 * The price of each plan. Only the sandbox's Stripe knows the sandbox's prices.
 * @throws StartupError if Stripe is real and a price is not set
 */
function priceIdsOf(
  settings: Settings,
  simulatesStripe: boolean,
): Readonly<Record<PlanId, string>> {
  return Object.fromEntries(
    plans.map(({ id }) => {
      const name = priceSettingOf(id)
      return [
        id,
        settings[name] ?? required(simulatesStripe ? sandboxPriceIdOf(id) : undefined, name),
      ]
    }),
  ) as Record<PlanId, string>
}

/**
 * The scheme and the host in lower case, because an address is compared as text: `HTTPS://…` also
 * makes cookies Secure.
 */
function publicUrlOf(settings: Settings): string {
  return new URL(settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`).href.replace(
    /\/+$/,
    '',
  )
}

/** Whether the host is a loopback address or a local name. */
function listensLocally(host: string): boolean {
  const url = `http://${isIPv6(host) ? `[${host}]` : host}`
  return URL.canParse(url) && isLocalAddress(url)
}

/**
 * @throws StartupError if METRICS_HOST is set without METRICS_PORT, because no metrics would be
 * served
 */
function metricsOf({ METRICS_PORT: port, METRICS_HOST: host }: Settings): Config['metrics'] {
  if (port !== undefined) return { port, host: host ?? '127.0.0.1' }
  if (host === undefined) return null
  throw new StartupError(
    `METRICS_HOST is ${host}, and METRICS_PORT is not set, so no metrics would be served. Set METRICS_PORT, or remove METRICS_HOST.`,
  )
}

const twilioNames = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'] as const

/** Null without an account: texts are optional. A part of an account is a mistake. */
function twilioOf(settings: Settings) {
  if (twilioNames.every((name) => settings[name] === undefined)) return null
  refuseMissing(settings, twilioNames)
  return {
    accountSid: required(settings.TWILIO_ACCOUNT_SID, 'TWILIO_ACCOUNT_SID'),
    authToken: required(settings.TWILIO_AUTH_TOKEN, 'TWILIO_AUTH_TOKEN'),
    from: required(settings.TWILIO_FROM, 'TWILIO_FROM'),
  }
}

function refuseReactorWithoutSandbox({ ROLE, SANDBOX_URL }: Settings): void {
  if (ROLE !== 'reactor' || SANDBOX_URL !== undefined) return
  throw new StartupError(
    'ROLE is reactor, and neither STRIPE_SECRET_KEY nor SANDBOX_URL is set. A reactor calls the payment provider. ' +
      'Set STRIPE_SECRET_KEY, or set SANDBOX_URL to the address of the sandbox that another process runs.',
  )
}

function hasEverySecret(settings: Settings): boolean {
  const names = [...secretNames, 'STRIPE_WEBHOOK_SECRET'] as const
  return (
    names.every((name) => settings[name] !== undefined) &&
    (settings.ADMIN_PASSWORD_HASH ?? settings.ADMIN_PASSWORD) !== undefined
  )
}

function refuseOpenHttp(publicUrl: string): void {
  if (publicUrl.startsWith('https:')) return
  throw new StartupError(
    `PUBLIC_URL is ${publicUrl}: over http, anyone on the network path can read sessions. Use https, or set ALLOW_SANDBOX=1 to try it out.`,
  )
}

function adminOf(settings: Settings, generatedPassword: string | undefined): Config['admin'] {
  if (settings.ADMIN_PASSWORD_HASH !== undefined)
    return { passwordHash: settings.ADMIN_PASSWORD_HASH }
  return {
    password: required(settings.ADMIN_PASSWORD ?? generatedPassword, 'ADMIN_PASSWORD_HASH'),
  }
}

function required(value: string | undefined, name: string): string {
  if (value === undefined)
    throw new StartupError(`The setting ${name} is missing. Set it in the environment.`)
  return value
}
