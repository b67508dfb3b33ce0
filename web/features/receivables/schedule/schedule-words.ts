import type { ScheduleResponse } from '#contracts/receivables/schedule'
import { countOf } from '../shared/days.ts'

type Step = Pick<ScheduleResponse['schedule']['steps'][number], 'offset' | 'channel' | 'tone'>

export const toneNames = { friendly: 'Friendly', firm: 'Firm', final: 'Final' } as const
export const channelNames = { mail: 'E-mail', text: 'Text' } as const

/** `3 days before`, `On the due date`. */
export function whenOf(offset: number): string {
  if (offset === 0) return 'On the due date'
  return `${countOf(Math.abs(offset), 'day')} ${offset < 0 ? 'before' : 'after'}`
}

/** `Friendly e-mail` */
export const kindOf = ({ tone, channel }: Step) =>
  `${toneNames[tone]} ${channelNames[channel].toLowerCase()}`

/** `friendly e-mail, 3 days before the due date` */
export function stepInWords(step: Step): string {
  const when = whenOf(step.offset).toLowerCase()
  const kind = kindOf(step)
  return `${kind.charAt(0).toLowerCase()}${kind.slice(1)}, ${when}${step.offset === 0 ? '' : ' the due date'}`
}

const clock = new Intl.DateTimeFormat('en-US', {
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'UTC',
})

/** `09:30` as `9:30 AM`. */
export const timeInWords = (time: string) => clock.format(new Date(`2026-01-01T${time}:00Z`))
