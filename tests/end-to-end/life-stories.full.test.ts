import { cancellation } from './life-stories/cancellation.ts'
import { creditNotes } from './life-stories/credit-notes.ts'
import { currencies } from './life-stories/currencies.ts'
import { disputes } from './life-stories/disputes.ts'
import { documents } from './life-stories/documents.ts'
import { pause } from './life-stories/pause.ts'
import { recovery, renewal, writeOff } from './life-stories/payments.ts'
import { downgrade, upgrade } from './life-stories/plan-changes.ts'
import { lateRefunds, refunds } from './life-stories/refunds.ts'
import { tellStories } from './life-stories/tell-stories.ts'

/*
 * The life of a subscription, story by story: what the provider does reaches the log by webhooks
 * alone, and the answers of the API and /purchases show it.
 */

tellStories([
  renewal,
  upgrade,
  cancellation,
  refunds,
  documents,
  recovery,
  writeOff,
  downgrade,
  lateRefunds,
  creditNotes,
  currencies,
  disputes,
  pause,
])
