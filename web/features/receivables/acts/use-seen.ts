import { useState } from 'react'

/**
 * What a form was opened with: it sends the version and the open amount that the person saw. A
 * refusal can mean that these have changed, so after a refusal the form shows the newer answer, and
 * only another press sends that. The typed texts stay.
 */
export function useSeen<Value>(latest: Value, refusals: number): Value {
  const [seen, setSeen] = useState(latest)
  const [shownAfter, setShownAfter] = useState(0)
  if (refusals > shownAfter && latest !== seen) {
    setSeen(latest)
    setShownAfter(refusals)
  }
  return seen
}
