import { useState } from 'react'

/** What a form shows of the server's data, and how that differs from the latest answer. */
export interface Seen<Value> {
  /** What the form shows and sends: the version and the open amount of this are the request's. */
  readonly seen: Value
  /**
   * `behind`: the data has changed since. `renewed`: the form shows the newer data since the last
   * refusal or since the person asked for it.
   */
  readonly state: 'current' | 'behind' | 'renewed'
  /** Shows the latest answer. */
  readonly renew: () => void
}

/**
 * What a form was opened with stays what it sends, whatever a refetch brings: the person decided on
 * it (docs/decisions/0049-dialogs-of-acts.md). After a refusal, which recorded nothing, the form
 * shows the newer answer and says so. `basisOf` is what an act depends on, as a text.
 */
export function useSeen<Value>(
  latest: Value,
  basisOf: (value: Value) => string,
  refusals: number,
): Seen<Value> {
  const [seen, setSeen] = useState(latest)
  const [state, setState] = useState<'current' | 'renewed'>('current')
  const [answered, setAnswered] = useState(0)
  const isBehind = basisOf(latest) !== basisOf(seen)

  function renew(): void {
    setSeen(latest)
    setState('renewed')
    setAnswered(refusals)
  }

  if (isBehind && refusals > answered) renew()
  return { seen, state: isBehind ? 'behind' : state, renew }
}
