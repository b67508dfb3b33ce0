import type { Day } from '#services/finance/calendar'
import type { Instant } from '#contracts/instant'

export type Channel = 'mail' | 'text'
export type Tone = 'friendly' | 'firm' | 'final'

/** ISO 8601: 1 is Monday, 7 is Sunday. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7

export interface Step {
  readonly stepId: string
  /** Whole days from the due date; negative before it. */
  readonly offset: number
  readonly channel: Channel
  readonly tone: Tone
  /** When the step, or its earlier day, came into the schedule. */
  readonly since: Instant
  /** It also concerns invoices that were past its day at `since`. */
  readonly includesPast: boolean
}

/** When a merchant's reminders go out. */
export interface Schedule {
  readonly steps: readonly Step[]
  /** The last step is repeated each so many days; null: never. */
  readonly repeatLastEvery: number | null
  readonly sendingDays: ReadonlySet<Weekday>
  readonly daysOff: ReadonlySet<Day>
  /** `HH:MM` in the client's time zone, at 17:00 or earlier: mails go out until 18:00. */
  readonly sendingTime: string
  /** The most messages to one client in 7 days. */
  readonly messagesPerWeek: number
}

const toneRank: Readonly<Record<Tone, number>> = { final: 0, firm: 1, friendly: 2 }
const channelRank: Readonly<Record<Channel, number>> = { mail: 0, text: 1 }

/** The strongest step first: final, firm, friendly; a mail before a text of the same tone. */
export function byStrength(
  a: { readonly tone: Tone; readonly channel: Channel },
  b: { readonly tone: Tone; readonly channel: Channel },
): number {
  return toneRank[a.tone] - toneRank[b.tone] || channelRank[a.channel] - channelRank[b.channel]
}

/** The step that is repeated: the one of the latest day, and the strongest one of that day. */
export function lastStepOf({ steps }: Pick<Schedule, 'steps'>): Step | undefined {
  return steps.toSorted((a, b) => b.offset - a.offset || byStrength(a, b))[0]
}
