import { useRef, useState } from 'react'
import { errorText, isRefusal } from '../../../lib/http.ts'
import { newId } from '../../../lib/new-id.ts'

interface Result<Answer> {
  readonly data?: Answer
  readonly error?: unknown
}

/** What the tries of a dialog came to. */
interface Sending<Answer> {
  readonly busy: boolean
  /** Why the last try was refused, or that its answer was lost. Null before. */
  readonly problem: string | null
  /** How often the server refused, and so recorded nothing. */
  readonly refusals: number
  /** The answer of the last try was lost: it may have been recorded. */
  readonly isLost: boolean
  readonly send: (
    call: (key: string) => Promise<Result<Answer>>,
    onDone: (answer: Answer) => void,
  ) => Promise<void>
}

/**
 * Sends an act. One press is one request with one key: a double click, and a repeat after a lost
 * answer, are recorded once. After a refusal nothing is recorded, so another press has another key.
 */
export function useSending<Answer>(): Sending<Answer> {
  const key = useRef<string>(undefined)
  const isRunning = useRef(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [refusals, setRefusals] = useState(0)
  const [isLost, setLost] = useState(false)

  const send: Sending<Answer>['send'] = async (call, onDone) => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setProblem(null)
    key.current ??= newId()
    const { data, error } = await call(key.current)
    isRunning.current = false
    setBusy(false)
    if (data !== undefined) return onDone(data)
    if (isRefusal(error)) {
      key.current = undefined
      setRefusals((count) => count + 1)
    }
    setLost(!isRefusal(error))
    setProblem(errorText(error, lostAnswer))
  }

  return { busy, problem, refusals, isLost, send }
}

/** A second try of the same dialog is the same request. */
const lostAnswer =
  'The answer was lost, so this may have been recorded. Try again: it is recorded once.'
