import type { EmailKeys } from '#services/accounts/email-keys'
import type { ReconcilerState } from '#services/billing/reconciler/reconciler-state'
import type { CommandHandler } from '#services/commands/handle-command'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { PersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { Clock } from '#services/foundation/clock'
import type { ReadSide } from '#services/read-side/read-side'
import type { TextSender } from '#services/sms/text-sender'
import type { BillingSide } from './create-billing-side.ts'
import type { Storage } from './open-storage.ts'
import type { PdfFiles } from './pdf-files.ts'

/** The parts of which the routes and the background work are composed. */
export interface ProductParts {
  readonly storage: Storage
  readonly commands: CommandHandler
  readonly codec: EventCodec
  readonly keys: PersonalKeys
  readonly emailKeys: EmailKeys
  /** The business clock. */
  readonly clock: Clock
  readonly side: BillingSide
  /** Null: no texts are sent. */
  readonly texts: TextSender | null
  readonly files: PdfFiles
}

/** What the work that no request causes is composed of. */
export interface BackgroundParts extends ProductParts {
  readonly readSide: Pick<ReadSide, 'receiptOf' | 'unverified' | 'imports' | 'stoppedAmong'>
  readonly smtpUrl: string
  readonly reconcilerState: ReconcilerState
}
