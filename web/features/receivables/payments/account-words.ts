import type { PaymentAccount } from '#contracts/receivables/payments'
import { ofNewerRelease } from '../../../lib/of-newer-release.ts'
import type { ChipTone } from '../../../ui/chip.tsx'
import { countOf, instantDay } from '../shared/days.ts'

/** What a merchant reads of its account, and what it does next. */
interface AccountWords {
  readonly tone: ChipTone
  readonly chip: string
  readonly sentence: string
  /** `form`: to the provider's form. `pages`: to the provider's own pages. */
  readonly next: { readonly to: 'form' | 'pages'; readonly name: string; readonly isMain: boolean }
}

/** `provider` is its name as people know it. */
export function accountInWords({ state, needs }: PaymentAccount, provider: string): AccountWords {
  const form = (name: string) => ({ to: 'form', name, isMain: true }) as const
  const pages = { to: 'pages', name: `Open ${provider}`, isMain: false } as const
  switch (state) {
    case 'none':
      return {
        tone: 'ended',
        chip: 'Not connected',
        sentence: `Your clients pay by card on a page of ${provider}. The money goes to your own account there.`,
        next: form(`Connect ${provider}`),
      }
    case 'unfinished':
      return {
        tone: 'pending',
        chip: 'Not complete',
        sentence: `The form at ${provider} is not complete, so your clients cannot pay by card yet.`,
        next: form(`Continue at ${provider}`),
      }
    case 'asked':
      return {
        tone: 'pending',
        chip: 'More needed',
        sentence: `${provider} needs ${answers(needs?.asked ?? 0)} before your clients can pay by card.`,
        next: form(`Answer at ${provider}`),
      }
    case 'in-review':
      return {
        tone: 'pending',
        chip: 'In review',
        sentence: `${provider} checks your answers. Your clients can pay by card as soon as ${provider} allows it. You need to do nothing.`,
        next: pages,
      }
    case 'no-payouts':
      return {
        tone: 'pending',
        chip: 'No payouts',
        sentence: `Your clients can pay by card. ${provider} keeps the money until it has all that it needs for payouts to your bank.`,
        next: form(`Continue at ${provider}`),
      }
    case 'active':
      return {
        tone: 'active',
        chip: 'Active',
        sentence: `Your clients can pay by card. The money goes to your ${provider} account.`,
        next:
          needs === null || needs.asked === 0
            ? pages
            : { ...form(`Answer at ${provider}`), isMain: false },
      }
    case 'disconnected':
      return {
        tone: 'ended',
        chip: 'Disconnected',
        sentence:
          'You disconnected your account, so your clients cannot pay by card. You can connect the same account again.',
        next: form('Connect again'),
      }
    case 'lost':
      return {
        tone: 'failed',
        chip: 'Access removed',
        sentence: `Our access to your account was removed at ${provider}, so your clients cannot pay by card. Connect again to take card payments.`,
        next: form('Connect again'),
      }
    case 'rejected':
      return {
        tone: 'failed',
        chip: 'Declined',
        sentence: `${provider} declined the account, so your clients cannot pay by card. ${provider} says why on its pages. A link or written instructions work without it.`,
        next: pages,
      }
    default:
      return {
        tone: 'pending',
        chip: ofNewerRelease(state),
        sentence: `See at ${provider} what the account needs.`,
        next: pages,
      }
  }
}

/** What the provider asks for although clients can pay. Null: nothing. */
export function needsInWords(
  { state, needs }: PaymentAccount,
  provider: string,
  timeZone: string,
): string | null {
  if (needs === null || needs.asked === 0) return null
  if (state !== 'active' && state !== 'no-payouts') return null
  if (needs.isOverdue)
    return `${provider} waits for ${answers(needs.asked)}. Give them now, or your clients cannot pay any more.`
  if (needs.until === null) return `${provider} asks for ${answers(needs.asked)}.`
  return `${provider} asks for ${answers(needs.asked)} by ${instantDay(needs.until, timeZone)}. Without them your clients cannot pay after that day.`
}

const answers = (count: number) => countOf(count, 'more answer')
