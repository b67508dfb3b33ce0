import type { UserId } from '#contracts/ids'

/** The path by which a provider event reached the product. */
export type ProviderEventSource = 'webhook' | 'reconciler'

/** What a provider event led to. `facts` is the number of events that the log received. */
export type ProviderEventOutcome =
  | { readonly kind: 'synchronized'; readonly userId: UserId; readonly facts: number }
  | { readonly kind: 'ignored'; readonly reason: string }
