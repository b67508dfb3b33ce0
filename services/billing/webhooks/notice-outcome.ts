import type { UserId } from '#contracts/ids'

/** The path by which a notice reached the product. */
export type NoticeSource = 'webhook' | 'reconciler'

/** What a notice led to. `facts` is the number of events that the log received. */
export type NoticeOutcome =
  | { readonly kind: 'synchronized'; readonly userId: UserId; readonly facts: number }
  | { readonly kind: 'ignored'; readonly reason: string }
