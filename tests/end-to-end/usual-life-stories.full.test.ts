import { cancellation } from './life-stories/cancellation.ts'
import { documents } from './life-stories/documents.ts'
import { renewal } from './life-stories/payments.ts'
import { upgrade } from './life-stories/plan-changes.ts'
import { refunds } from './life-stories/refunds.ts'
import { tellStories } from './life-stories/tell-stories.ts'

/*
 * The life of a subscription, story by story: what the provider does reaches the log by webhooks
 * alone, and the answers of the API and /purchases show it. life-stories.full.test.ts has the rarer
 * stories.
 */

tellStories([renewal, upgrade, cancellation, refunds, documents])
