import type { Accounts } from '#services/accounts/accounts'
import type { EmailKeys } from '#services/accounts/email-keys'
import type { PriceCheck } from '#services/billing/price-check'
import type { CommandHandler } from '#services/commands/handle-command'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { PersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { Clock } from '#services/foundation/clock'
import type { Admission } from '#services/http/admission/admission'
import type { Metrics } from '#services/http/metrics/metrics'
import type { DocumentedRouter } from '#services/http/openapi/documented-call'
import type { Mailer } from '#services/mail/mailer'
import type { ReadSide } from '#services/read-side/read-side'
import type { TextSender } from '#services/sms/text-sender'
import type { BillingSide } from '../create-billing-side.ts'
import type { Storage } from '../open-storage.ts'
import type { PdfFiles } from '../pdf-files.ts'

/** What the routes are composed of: parts that the start has made. */
export interface AppParts {
  readonly storage: Storage
  readonly accounts: Accounts
  readonly mailer: Mailer
  /** Null: no texts are sent. */
  readonly texts: TextSender | null
  readonly commands: CommandHandler
  readonly codec: EventCodec
  readonly keys: PersonalKeys
  readonly emailKeys: EmailKeys
  /** The business clock. */
  readonly clock: Clock
  readonly side: BillingSide
  readonly readSide: ReadSide
  readonly files: PdfFiles
  readonly prices: PriceCheck
  readonly admission: Admission
  readonly metrics: Metrics
  readonly health: DocumentedRouter
  /** The directory of the built pages. Default: the one of this build. */
  readonly webRoot?: string
}
