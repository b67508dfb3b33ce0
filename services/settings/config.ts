import type { PlanId } from '#contracts/plans'
import type { TimeZone } from '#services/finance/time-zone'
import type { Settings } from './settings.ts'

/** What the environment sets. `readConfig` makes it. */
export interface Config {
  readonly isProduction: boolean
  readonly role: Settings['ROLE']
  readonly logLevel: string
  /** Number of shards of a newly built read model. Projector processes share the shards. */
  readonly projectionShards: number
  /** The most connections to PostgreSQL for requests. The limits of requests follow from them. */
  readonly requestConnections: number
  readonly port: number
  readonly host: string
  /** Where the metrics listen. Null: no metrics. */
  readonly metrics: { readonly port: number; readonly host: string } | null
  /** The collector of traces, without `/v1/traces`. Null: no tracing. */
  readonly tracing: { readonly endpoint: string } | null
  /** Public origin of the product, without a trailing slash. */
  readonly publicUrl: string
  readonly trustProxy: boolean
  /** Whether the API documentation is served. Default: only if no other machine can reach it. */
  readonly apiDocs: boolean
  readonly dataDir: string
  /** Null: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | null
  /** Null: the event log is in the database, too. */
  readonly eventStoreUrl: string | null
  /**
   * Null if real keys are set for Stripe and mail. `url` is the address of a sandbox that runs
   * elsewhere; if it is null, this process starts a sandbox.
   */
  readonly sandbox: {
    readonly url: string | null
    /** The address that the sandbox listens on. */
    readonly host: string
    readonly port: number
    readonly simulatesStripe: boolean
    readonly simulatesMail: boolean
  } | null
  readonly stripe: {
    readonly secretKey: string
    /** With it, the pages on which a plan is bought load Stripe.js. Null: nothing is loaded. */
    readonly publishableKey: string | null
    readonly webhookSecrets: readonly string[]
    /** Of the endpoint for events of connected accounts. Empty: no such endpoint is set up. */
    readonly connectWebhookSecrets: readonly string[]
    readonly livemode: boolean
    readonly priceIds: Readonly<Record<PlanId, string>>
    readonly portalConfiguration: string | null
  }
  /** Null if the sandbox receives the mail. */
  readonly smtpUrl: string | null
  readonly mailFrom: string
  /**
   * Where mails that come back go. `secret`: of the calls with reports; null: none is taken.
   * `port`: where mail to the address is received; null: nowhere. Null: mails come back to the
   * sender's address, and the product does not see them.
   */
  readonly bounces: {
    readonly address: string
    readonly secret: string | null
    readonly port: number | null
    /** For STARTTLS at the port. Null: it has no TLS. */
    readonly tls: { readonly cert: string; readonly key: string } | null
  } | null
  /** The most notifications that one process mails per second. */
  readonly mailsPerSecond: number
  /** The countries whose numbers get texts, as ISO 3166-1 alpha-2. */
  readonly textCountries: ReadonlySet<string>
  /** 'sandbox': the sandbox receives the texts. Null: no texts are sent. */
  readonly twilio:
    | { readonly accountSid: string; readonly authToken: string; readonly from: string }
    | 'sandbox'
    | null
  /**
   * What one administrator does alone, at most. `refundAbove`: minor units of the home currency.
   * `exportAbove`: records within 24 hours. Null: everything.
   */
  readonly secondPerson: {
    readonly refundAbove: number | null
    readonly exportAbove: number | null
  }
  readonly clockUrl: string | null
  /** The time zone in which months of reports end. */
  readonly reportingTimeZone: TimeZone
  readonly admin: { readonly passwordHash: string } | { readonly password: string }
  /** The first signs sessions. Each verifies them. */
  readonly sessionSecrets: readonly string[]
  readonly masterKey: Buffer
  /** The key that MASTER_KEY replaces. Null except during a change. */
  readonly previousMasterKey: Buffer | null
  readonly emailHmacKey: Buffer
  /** The key that EMAIL_HMAC_KEY replaces. Null except during a change. */
  readonly previousEmailHmacKey: Buffer | null
  /** Makes the links of the client portal. */
  readonly portalKey: Buffer
  /** The key that PORTAL_KEY replaces: its links still lead to the portal. Null without one. */
  readonly previousPortalKey: Buffer | null
  /** Authenticates events and signs seals (`billing events verify` and `seal`). */
  readonly auditKey: Buffer
  /** Whether reports compute with events that have no MAC of `auditKey`: the log was imported. */
  readonly acceptsUnprovenEvents: boolean
  /** Where seals are published, apart from the database. Absolute paths. */
  readonly sealPublishing: {
    readonly directory: string | null
    readonly program: string | null
    /** Prints what `program` published. */
    readonly listProgram: string | null
  }
}

/** Whether a process of this role answers people. Only such a process starts a sandbox. */
export function servesPages(role: Settings['ROLE']): boolean {
  return role === 'all' || role === 'api'
}

/**
 * Whether the port opens only when the process can serve: a proxy then takes another process. A
 * process without a proxy answers 503 during its start. So does a process with the embedded
 * PostgreSQL, which holds its port so that a second start does not touch DATA_DIR.
 */
export function opensWhenReady({
  role,
  trustProxy,
  databaseUrl,
}: Pick<Config, 'role' | 'trustProxy' | 'databaseUrl'>): boolean {
  return role === 'api' && trustProxy && databaseUrl !== null
}
