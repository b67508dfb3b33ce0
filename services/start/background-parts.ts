import type { ReconcilerState } from '#services/billing/reconciliation/reconciler-state'
import type { ReadSide } from '#services/read-side/read-side'
import type { ProductParts } from './product-parts.ts'

/** What the work that no request causes is composed of. */
export interface BackgroundParts extends ProductParts {
  readonly readSide: Pick<ReadSide, 'receiptOf' | 'unverified' | 'imports' | 'stoppedAmong'>
  readonly smtpUrl: string
  readonly reconcilerState: ReconcilerState
}
