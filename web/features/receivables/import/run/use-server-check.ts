import { useEffect, useRef, useState } from 'react'
import type { CheckedRow, SentRow } from '#contracts/receivables/imports'
import { useCheckImportMutation } from '../../../../api/imports-api.ts'
import { partsToCheck } from './parts-of-rows.ts'

export interface ServerCheck {
  /** Of the last complete check, by row. Null before. */
  readonly results: ReadonlyMap<number, CheckedRow> | null
  /** Null: the results are those of the present rows. */
  readonly checking: { readonly done: number; readonly total: number } | null
  /** Of the last try. Null if it was answered. */
  readonly error: unknown
  readonly retry: () => void
}

interface Checked {
  readonly of: readonly SentRow[]
  readonly results: ReadonlyMap<number, CheckedRow>
}

/** Calls that run at the same time. */
const lanes = 2

/**
 * Asks the server what would become of the rows. A row that did not change since the last check is
 * not sent again, so that the answer to one question is checked at once. `file` counts the chosen
 * files: the same file again is checked from the start, because something was stored meanwhile.
 */
export function useServerCheck(rows: readonly SentRow[], file: number): ServerCheck {
  const [checkImport] = useCheckImportMutation()
  const known = useRef({ file, rows: new Map<string, CheckedRow>() })
  const [checked, setChecked] = useState<Checked | null>(null)
  const [done, setDone] = useState(0)
  const [error, setError] = useState<unknown>(null)
  const [tries, setTries] = useState(0)

  useEffect(() => {
    let isCurrent = true
    if (known.current.file !== file) known.current = { file, rows: new Map() }
    const found = known.current.rows
    const unknown = rows.filter((row) => !found.has(JSON.stringify(row)))
    const parts = [...partsToCheck(unknown)]
    setDone(rows.length - unknown.length)
    setError(null)

    async function lane(): Promise<void> {
      for (let part = parts.shift(); part !== undefined && isCurrent; part = parts.shift()) {
        const answer = await checkImport(part)
        if (answer.data === undefined) throw new CheckFailed(answer.error)
        for (const [index, result] of answer.data.results.entries())
          found.set(JSON.stringify(part[index]), result)
        const { length } = part
        if (isCurrent) setDone((before) => before + length)
      }
    }

    async function check(): Promise<void> {
      try {
        await Promise.all(Array.from({ length: lanes }, lane))
        const results = new Map<number, CheckedRow>()
        for (const row of rows) {
          const result = found.get(JSON.stringify(row))
          if (result !== undefined) results.set(row.row, result)
        }
        if (isCurrent) setChecked({ of: rows, results })
      } catch (failure) {
        if (!(failure instanceof CheckFailed)) throw failure
        if (isCurrent) setError(failure.error)
      }
    }
    void check()
    return () => {
      isCurrent = false
    }
  }, [rows, file, tries, checkImport])

  return {
    results: checked?.results ?? null,
    checking: checked?.of === rows ? null : { done, total: rows.length },
    error,
    retry: () => {
      known.current.rows.clear()
      setTries(tries + 1)
    },
  }
}

class CheckFailed extends Error {
  readonly error: unknown
  constructor(error: unknown) {
    super('The check failed.')
    this.error = error
  }
}
