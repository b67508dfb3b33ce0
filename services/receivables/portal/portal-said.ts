import { unreachable } from '#services/foundation/decider'
import type { PortalView } from './portal-view.ts'
import { listText, shortDay } from './portal-words.ts'

/** The results that the page announces after an act. They are in its address, as `?said=…`. */
const results = [
  'promised',
  'promise-withdrawn',
  'disputed',
  'dispute-withdrawn',
  'mail-on',
  'mail-off',
  'text-on',
  'text-off',
] as const
export type Said = (typeof results)[number]

/** A form that was not taken: what is wrong with it, and what the client had entered. */
export interface RefusedForm {
  readonly sentence: string
  readonly form: Readonly<Record<string, string>>
}

/** The id of the element that says what happened. A form leads there, so that it gets the focus. */
export const saidId = 'said'

/** Where the client goes after an act. */
export function pageAfter(token: string, said: Said): string {
  return `/pay/${token}?said=${said}#${saidId}`
}

/** Where a form is sent. The browser keeps the fragment for the answer. */
export function formAddress(token: string, act: string): string {
  return `/pay/${token}/${act}#${saidId}`
}

/**
 * What the page announces. Null if the address says nothing that is still true: it can be an
 * address that the browser has kept.
 */
export function saidSentence(value: unknown, view: PortalView): string | null {
  const said = results.find((each) => each === value)
  if (said === undefined) return null
  const { merchant, promises, invoices, reach } = view
  const isOn = (channel: 'mail' | 'text') =>
    reach.some((each) => each.channel === channel && each.state === 'on')
  const isOff = (channel: 'mail' | 'text') =>
    reach.some((each) => each.channel === channel && each.state === 'stopped')
  switch (said) {
    case 'promised':
      return promises.length === 0
        ? null
        : `${merchant.name} knows that you pay by ${listText(promises.map(({ by }) => shortDay(by)))}.`
    case 'promise-withdrawn':
      return `The promise is withdrawn.${promises.length > 0 ? '' : ' Reminders continue.'}`
    case 'disputed':
      return invoices.some(({ dispute }) => dispute?.madeBy === 'client')
        ? `The dispute is sent to ${merchant.name}.`
        : null
    case 'dispute-withdrawn':
      return 'The dispute is withdrawn. Reminders of the invoice continue.'
    case 'mail-on':
      return isOn('mail') ? 'E-mail reminders are on.' : null
    case 'mail-off':
      return isOff('mail') ? 'E-mail reminders are off.' : null
    case 'text-on':
      return isOn('text') ? 'Text reminders are on.' : null
    case 'text-off':
      return isOff('text') ? 'Text reminders are off.' : null
    default:
      return unreachable(said)
  }
}
