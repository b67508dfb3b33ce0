import { useSearchParams } from 'react-router-dom'
import type { EventPlace } from '../../../api/history-api.ts'

/** The place of an event in the URL: `billing-usr_1@17`. */
export const placeText = ({ stream, revision }: EventPlace) => `${stream}@${revision}`

/** Null if the text is no place. */
function parsePlace(text: string | null): EventPlace | null {
  const [, stream, revision] = /^(.{1,300})@(\d{1,15})$/.exec(text ?? '') ?? []
  return stream === undefined ? null : { stream, revision: Number(revision) }
}

interface SelectedEvent {
  readonly selected: EventPlace | null
  /** The address of this page with the event selected. */
  readonly hrefOf: (place: EventPlace) => string
  /**
   * Null closes the inspector. Opening it adds an entry to the browser's history; a step to another
   * event does not.
   */
  readonly select: (place: EventPlace | null) => void
}

/** The selected event. The URL holds it, so that a link opens the same event. */
export function useSelectedEvent(): SelectedEvent {
  const [params, setParams] = useSearchParams()
  const text = params.get('event')

  const withEvent = (place: EventPlace | null) => {
    const next = new URLSearchParams(params)
    if (place === null) next.delete('event')
    else next.set('event', placeText(place))
    return next
  }

  return {
    selected: parsePlace(text),
    hrefOf: (place) => `?${withEvent(place)}`,
    select: (place) =>
      setParams(withEvent(place), {
        replace: text !== null && place !== null,
        preventScrollReset: true,
      }),
  }
}
