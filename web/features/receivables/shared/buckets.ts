import type { ReceivablesOverview } from '#contracts/receivables/overview'
import { ofNewerRelease } from '../../../lib/of-newer-release.ts'

type Bucket = ReceivablesOverview['aging']['columns'][number]['bucket']

/** The label of a column of the aging scale. */
export function bucketName(bucket: Bucket): string {
  switch (bucket) {
    case 'not-due':
      return 'Not due'
    case '1-30':
      return '1–30 days'
    case '31-60':
      return '31–60 days'
    case '61-90':
      return '61–90 days'
    case 'over-90':
      return 'Over 90 days'
    default:
      return ofNewerRelease(bucket)
  }
}
