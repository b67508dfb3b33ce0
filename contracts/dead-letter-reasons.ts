import type { AdminAccessEvent } from './events/admin-access.ts'

type WhyOf<Type extends AdminAccessEvent['type']> = Extract<
  AdminAccessEvent,
  { readonly type: Type }
>['data'] extends { readonly why: infer Why extends string }
  ? Why
  : never

export type RetryReason = WhyOf<'DeadLetterRetried'>
export type DiscardReason = WhyOf<'DeadLetterDiscarded'>

/** Why an administrator lets a message be tried once more, in words. Free of zod. */
export const retryReasons: Readonly<Record<RetryReason, string>> = {
  'cause-corrected': 'The cause was corrected',
  'server-is-back': 'The mail server or the provider answers again',
  other: 'Another reason',
}

/** Why an administrator discards a message. No text is entered: it could name a person. */
export const discardReasons: Readonly<Record<DiscardReason, string>> = {
  outdated: 'What it says is no longer of use',
  'contacted-directly': 'The person was contacted directly',
  'wrong-address': 'The address or the number is wrong',
  other: 'Another reason',
}
