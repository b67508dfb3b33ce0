import { useEffect, useRef, useState } from 'react'
import { useDispatch } from 'react-redux'
import { api } from '../../../../api/api.ts'
import {
  useFinishImportMutation,
  useGetStoredRowsMutation,
  useStartImportMutation,
  useStoreImportRowsMutation,
} from '../../../../api/imports-api.ts'
import {
  runImport,
  type ImportCalls,
  type ImportPlan,
  type RunEnd,
  type RunReport,
} from './run-import.ts'

/** Times are those of `performance.now()`. */
interface Times {
  readonly startedAt: number
  readonly at: number
  /** How many rows were stored when this run began. */
  readonly before: number
}

export interface ImportRun {
  readonly plan: ImportPlan
  readonly state: RunReport | RunEnd
  readonly times: Times
}

interface RunControls {
  readonly run: ImportRun | null
  /** `begun`: the import to continue, or null. */
  readonly start: (plan: ImportPlan, begun: string | null) => void
  /** After the part that is being sent. */
  readonly stop: () => void
  /** Ends the pause after a lost connection. */
  readonly tryNow: () => void
  readonly forget: () => void
}

/** Runs an import while the page is open. Another page, or a closed tab, stops it. */
export function useImportRun(): RunControls {
  const dispatch = useDispatch()
  const calls = useCalls()
  const [run, setRun] = useState<ImportRun | null>(null)
  const stopped = useRef(false)
  const endPause = useRef<() => void>(undefined)

  const tryNow = () => endPause.current?.()
  const stop = () => {
    stopped.current = true
    tryNow()
  }
  useEffect(() => {
    const goOn = () => endPause.current?.()
    window.addEventListener('online', goOn)
    return () => {
      window.removeEventListener('online', goOn)
      stopped.current = true
      goOn()
    }
  }, [])

  const isRunning = run !== null && run.state.kind !== 'done' && run.state.kind !== 'stopped'
  useEffect(() => {
    if (!isRunning) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isRunning])

  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        window.clearTimeout(timer)
        endPause.current = undefined
        resolve()
      }
      const timer = window.setTimeout(end, ms)
      endPause.current = end
    })
  }

  function start(plan: ImportPlan, begun: string | null): void {
    if (isRunning) return
    stopped.current = false
    const startedAt = performance.now()
    let before: number | null = null
    const timesAt = (stored: number): Times => {
      if (stored > 0 || begun === null) before ??= stored
      return { startedAt, at: performance.now(), before: before ?? 0 }
    }
    const report = (state: RunReport) => setRun({ plan, state, times: timesAt(state.stored) })
    void runImport(plan, begun, {
      calls,
      report,
      wait,
      isStopped: () => stopped.current,
    }).then((state) => {
      setRun({ plan, state, times: timesAt(0) })
      dispatch(api.util.invalidateTags(['Receivables']))
    })
  }

  return { run, start, stop, tryNow, forget: () => setRun(null) }
}

function useCalls(): ImportCalls {
  const [startImport] = useStartImportMutation()
  const [getStoredRows] = useGetStoredRowsMutation()
  const [storeRows] = useStoreImportRowsMutation()
  const [finishImport] = useFinishImportMutation()
  return {
    start: (key, body) => startImport({ key, body }),
    stored: (importId) => getStoredRows({ importId }),
    store: (importId, rows) => storeRows({ importId, rows }),
    finish: (importId, body) => finishImport({ importId, body }),
  }
}
