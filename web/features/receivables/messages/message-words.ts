import type { ComingMessage, ComingStep } from '#contracts/receivables/messages'
import type { MarkKind } from '../../../ui/mark.tsx'

type Named = Pick<ComingMessage, 'channel' | 'tone'>

export const channelName = (channel: Named['channel']) => (channel === 'mail' ? 'e-mail' : 'text')

/** `Firm e-mail` */
export const messageName = ({ channel, tone }: Named) =>
  `${tone.charAt(0).toUpperCase()}${tone.slice(1)} ${channelName(channel)}`

export const plannedMark = (channel: Named['channel']): MarkKind =>
  channel === 'mail' ? 'email-planned' : 'text-planned'

/** Invoices that a sentence names. */
const maxNamed = 3

/**
 * Why a message goes out: of one invoice its reasons, of several each with its number. On the page
 * of an invoice the other invoices are only named.
 */
export function reasonsOf(
  {
    steps,
    channel,
  }: Pick<ComingMessage, 'channel'> & {
    readonly steps: readonly Pick<ComingStep, 'receivableId' | 'number' | 'reason'>[]
  },
  receivableId: string | null,
): string {
  const ids = [...new Set(steps.map((step) => step.receivableId))]
  const numberOf = (id: string) => steps.find((step) => step.receivableId === id)?.number ?? ''
  const reasons = (id: string) =>
    steps
      .filter((step) => step.receivableId === id)
      .map((step) => step.reason)
      .join(' ')
  const own = receivableId ?? (ids.length === 1 ? ids[0] : undefined)
  if (own !== undefined) {
    const others = ids.filter((id) => id !== own)
    if (others.length === 0) return reasons(own)
    return `${reasons(own)} One ${channelName(channel)} with ${listed(others.map(numberOf))}.`
  }
  const shown = ids.slice(0, maxNamed).map((id) => `${numberOf(id)}: ${reasons(id)}`)
  const rest = ids.length - shown.length
  return [...shown, ...(rest > 0 ? [`And ${rest === 1 ? '1 more' : `${rest} more`}.`] : [])].join(
    ' ',
  )
}

function listed(numbers: readonly string[]): string {
  const shown = numbers.slice(0, maxNamed)
  const rest = numbers.length - shown.length
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`
  return [shown.slice(0, -1).join(', '), shown.at(-1)].filter(Boolean).join(' and ')
}

/** The open amounts of the invoices of a message, by currency. */
export function sumsOf(
  steps: readonly Pick<ComingStep, 'receivableId' | 'currency' | 'open'>[],
): { currency: string; open: number }[] {
  const invoices = new Map(steps.map((step) => [step.receivableId, step]))
  const sums = new Map<string, number>()
  for (const { currency, open } of invoices.values())
    sums.set(currency, (sums.get(currency) ?? 0) + open)
  return [...sums].map(([currency, open]) => ({ currency, open }))
}
