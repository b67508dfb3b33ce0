import { useEffect, useMemo, useState } from 'react'
import { schedulePreviewRequest } from '#contracts/receivables/schedule'
import { usePreviewScheduleQuery } from '../../../api/schedule-api.ts'
import { problemOf, wantedOf, type Draft } from './draft.ts'

/** Milliseconds after the last change: the days are computed once for several presses. */
const pauseMs = 500

/** What the draft would send. The panel of the days and the steps share one request. */
export function useDraftPreview(draft: Draft) {
  const asked = useSettledRequest(draft)
  return usePreviewScheduleQuery(asked, { skip: problemOf(draft) !== null })
}

/** The draft, once it has not changed for a moment. */
function useSettledRequest(draft: Draft) {
  const text = JSON.stringify({ schedule: wantedOf(draft), timeZone: draft.timeZone })
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return useMemo(() => schedulePreviewRequest.parse(JSON.parse(settled)), [settled])
}
