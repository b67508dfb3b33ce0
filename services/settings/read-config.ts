import { isIPv6 } from 'node:net'
import { createSecureContext } from 'node:tls'
import { brand } from '#contracts/brand/brand'
import { parseConnectionString } from '#services/event-store/eventstoredb/connection-string'
import { errorCodeOrText } from '#services/foundation/error-code'
import { StartupError } from '#services/foundation/startup-error'
import { domainOf } from '#services/mail/mailbox'
import { servesPages, type Config } from './config.ts'
import { isLocalAddress } from './is-local-address.ts'
import { refuseIncomplete, refuseUnnamedDatabase, secretNames } from './refuse-incomplete.ts'
import { refuseMissing } from './refuse-missing.ts'
import { refuseMisspelledSettings } from './refuse-misspelled-settings.ts'
import { refuseSharedPorts } from './refuse-shared-ports.ts'
import { required } from './required.ts'
import { sandboxSecrets } from './sandbox-secrets.ts'
import { parseSettings, type Settings } from './settings.ts'
import { stripeSettingsOf } from './stripe-settings.ts'
import { withPrevious } from './with-previous.ts'

const defaultDataDir = '.data'

type SecretName = (typeof secretNames)[number]

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
  const secret = (name: SecretName) => settings[name] ?? required(generated?.[name], name)
  const keys = keysOf(settings, secret)
  const stripe = stripeSettingsOf(settings, generated?.STRIPE_WEBHOOK_SECRET)

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
    stripe,
    smtpUrl: settings.SMTP_URL ?? null,
    mailFrom: settings.MAIL_FROM,
    bounces: bouncesOf(settings, simulatesMail ? (stripe.webhookSecrets[0] ?? null) : null),
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
    ...keys,
    acceptsUnprovenEvents: settings.UNPROVEN_EVENTS === 'accept',
    sealPublishing: sealPublishingOf(settings),
  }
}

/** 32 bytes each. A previous key is null except during a change. */
function keysOf(settings: Settings, secret: (name: SecretName) => string) {
  const bytesOf = (name: 'MASTER_KEY' | 'EMAIL_HMAC_KEY' | 'PORTAL_KEY') => {
    const [current, previous] = withPrevious(settings, name, secret(name))
    return {
      current: Buffer.from(current, 'hex'),
      previous: previous === undefined ? null : Buffer.from(previous, 'hex'),
    }
  }
  const { current: masterKey, previous: previousMasterKey } = bytesOf('MASTER_KEY')
  const { current: emailHmacKey, previous: previousEmailHmacKey } = bytesOf('EMAIL_HMAC_KEY')
  const { current: portalKey, previous: previousPortalKey } = bytesOf('PORTAL_KEY')
  return {
    masterKey,
    previousMasterKey,
    emailHmacKey,
    previousEmailHmacKey,
    portalKey,
    previousPortalKey,
    auditKey: Buffer.from(secret('AUDIT_KEY'), 'hex'),
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
  const tls = bounceTlsOf(settings)
  if (address === undefined) {
    if (settings.BOUNCE_SECRET !== undefined || port !== null)
      throw new StartupError(
        'BOUNCE_SECRET or BOUNCE_PORT is set, and BOUNCE_ADDRESS is not. Set BOUNCE_ADDRESS to the address to which mails come back.',
      )
    return secret === null
      ? null
      : { address: `bounce@${domainOf(brand.senderEmail)}`, secret, port, tls }
  }
  if (secret === null && port === null)
    throw new StartupError(
      'BOUNCE_ADDRESS is set, and the product does not receive what comes to it. Set BOUNCE_SECRET and have your mail server deliver it to /api/mail/delivery-reports, or set BOUNCE_PORT to receive it here.',
    )
  return { address, secret, port, tls }
}

/** @throws StartupError for half a pair, and for a key that is not the certificate's */
function bounceTlsOf(settings: Settings): NonNullable<Config['bounces']>['tls'] {
  const { BOUNCE_TLS_CERTIFICATE: cert, BOUNCE_TLS_KEY: key, BOUNCE_PORT: port } = settings
  if (cert === undefined && key === undefined) return null
  if (cert === undefined || key === undefined || port === undefined)
    throw new StartupError(
      'For TLS at BOUNCE_PORT set all of BOUNCE_TLS_CERTIFICATE, BOUNCE_TLS_KEY and BOUNCE_PORT. To receive mails there without TLS, set neither of the first two.',
    )
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw new StartupError(
      `BOUNCE_TLS_CERTIFICATE and BOUNCE_TLS_KEY are no pair (${errorCodeOrText(error)}). Set the certificate with its chain, and the key of this certificate.`,
    )
  }
  return { cert, key }
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
