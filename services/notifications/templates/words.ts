import { toMajorUnits } from '#contracts/currency'
import { formatMoney } from '#contracts/format-money'
import type { Instant } from '#contracts/instant'
import type { Money } from '#contracts/money'
import { day } from '#services/mail/dates'
import type { Price } from '../notification.ts'

/*
 * The words that several mails share.
 */

/** `$39.00` */
export function moneyText({ amount, currency }: Money): string {
  return formatMoney(toMajorUnits(amount, currency), currency)
}

/** `$39.00 / month`, `$199.00 / 6 months`. Source: specification, section 9, "Currency". */
export function priceText({ amount, interval, intervalCount }: Price): string {
  return `${moneyText(amount)} / ${intervalCount === 1 ? interval : `${intervalCount} ${interval}s`}`
}

/**
 * The sentence after a greeting, or the sentence alone. The sentence begins with a capital. A name
 * can have 300 characters: the greeting shows its beginning, so that the sentence stays in view.
 */
export function greeted(name: string | null, sentence: string): string {
  return name === null
    ? sentence
    : `Hello ${beginningOf(name)}, ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
}

const longestGreetedName = 60

function beginningOf(name: string): string {
  const characters = [...name]
  if (characters.length <= longestGreetedName) return name
  return `${characters
    .slice(0, longestGreetedName - 1)
    .join('')
    .trimEnd()}…`
}

/** Words of a sentence as a value that stands alone: `subscription` as `Subscription`. */
export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** How much of the time from `start` to `end` is over: 0 to 1. */
export function shareOf(start: Instant, end: Instant, at: Instant): number {
  const from = Date.parse(start)
  const length = Date.parse(end) - from
  return length <= 0 ? 1 : Math.min(1, Math.max(0, (Date.parse(at) - from) / length))
}

/** The time `count` days later. */
export function daysAfter(at: Instant, count: number): Instant {
  return new Date(Date.parse(at) + count * 86_400_000).toISOString()
}

/** What comes next for a plan: its next billing, or its scheduled end if no billing precedes it. */
export function nextOf({
  renewsAt,
  endsAt,
}: {
  readonly renewsAt: Instant
  readonly endsAt: Instant | null
}) {
  return endsAt !== null && endsAt <= renewsAt
    ? { label: 'Plan ends', at: endsAt, sentence: `The plan ends on ${day(endsAt)}.`, isEnd: true }
    : {
        label: 'Next billing',
        at: renewsAt,
        sentence: `Next billing on ${day(renewsAt)}.`,
        isEnd: false,
      }
}
