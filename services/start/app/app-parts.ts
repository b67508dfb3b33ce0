import type { Accounts } from '#services/accounts/accounts'
import type { PriceCheck } from '#services/billing/price-check'
import type { Admission } from '#services/http/admission/admission'
import type { Metrics } from '#services/http/metrics/metrics'
import type { DocumentedRouter } from '#services/http/openapi/documented-call'
import type { Mailer } from '#services/mail/mailer'
import type { ReadSide } from '#services/read-side/read-side'
import type { ProductParts } from '../product-parts.ts'

/** What the routes are composed of: parts that the start has made. */
export interface AppParts extends ProductParts {
  readonly accounts: Accounts
  readonly mailer: Mailer
  readonly readSide: ReadSide
  readonly prices: PriceCheck
  readonly admission: Admission
  readonly metrics: Metrics
  readonly health: DocumentedRouter
  /** The directory of the built pages. Default: the one of this build. */
  readonly webRoot?: string
}
