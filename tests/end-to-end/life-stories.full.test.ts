import { creditNotes } from './life-stories/credit-notes.ts'
import { currencies } from './life-stories/currencies.ts'
import { disputes } from './life-stories/disputes.ts'
import { pause } from './life-stories/pause.ts'
import { recovery, writeOff } from './life-stories/payments.ts'
import { downgrade } from './life-stories/plan-changes.ts'
import { lateRefunds } from './life-stories/refunds.ts'
import { tellStories } from './life-stories/tell-stories.ts'

/* The rarer stories of a subscription, as in usual-life-stories.full.test.ts. */

tellStories([recovery, writeOff, downgrade, lateRefunds, creditNotes, currencies, disputes, pause])
