import { formatDay, formatTime } from '../billing/format.ts'
import type { Message } from '../messages/message.ts'

/** The messages of each day, in their order; UTC. */
export function byDay(
  messages: readonly Message[],
): readonly { readonly day: string; readonly messages: readonly Message[] }[] {
  const days: { day: string; messages: Message[] }[] = []
  for (const message of messages) {
    const day = dayOf(message)
    const last = days.at(-1)
    if (last?.day === day) last.messages.push(message)
    else days.push({ day, messages: [message] })
  }
  return days
}

/** `Mar 21, 2026` */
function dayOf({ sentAt }: Message): string {
  return formatDay(Date.parse(sentAt) / 1000)
}

/** `9:12 AM` */
export function timeOf({ sentAt }: Message): string {
  return formatTime(Date.parse(sentAt) / 1000)
}

/** `Mar 21, 2026, 9:12 AM UTC` */
export function momentOf(message: Message): string {
  return `${dayOf(message)}, ${timeOf(message)} UTC`
}
