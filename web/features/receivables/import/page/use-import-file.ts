import { useEffect, useRef, useState } from 'react'
import type { CheckedTable } from '../check/check-rows.ts'
import { FileRefusal } from '../file/file-refusal.ts'
import { rememberChoices, rememberedChoices, type Choices } from '../table/remembered-choices.ts'
import type { ReaderCalls, TableView } from '../worker/reader-messages.ts'
import { startReader } from '../worker/start-reader.ts'
import { choicesStorage } from './choices-storage.ts'

export interface OpenFile extends Omit<ReaderCalls['open']['answer'], 'table'> {
  readonly name: string
  readonly table: TableView
  readonly choices: Choices
  /** Null while the worker checks. */
  readonly checked: CheckedTable | null
  /** How long the browser read the file. */
  readonly readMs: number
}

export type FileState =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading'; readonly name: string }
  /** The sentence says what to do. */
  | {
      readonly kind: 'refused'
      readonly name: string
      readonly sentence: string
    }
  | { readonly kind: 'open'; readonly file: OpenFile }

interface ImportFile {
  readonly state: FileState
  /** Counts the chosen files. */
  readonly count: number
  readonly choose: (file: File) => void
  readonly chooseSheet: (sheet: number) => void
  readonly change: (choices: Choices) => void
  /** Of the last check, with the rows that the server refused. */
  readonly refusedCsv: (byServer: ReaderCalls['refusedCsv']['given']) => Promise<string>
  readonly forget: () => void
}

/** Reads the chosen file in a worker that starts with the first file and ends with the page. */
export function useImportFile(currency: string): ImportFile {
  const [state, setState] = useState<FileState>({ kind: 'none' })
  const [count, setCount] = useState(0)
  const started = useRef<ReturnType<typeof startReader>>(undefined)
  const latest = useRef(0)
  useEffect(
    () => () => {
      started.current?.stop()
      started.current = undefined
    },
    [],
  )
  const reader = () => (started.current ??= startReader())

  /** Of several runs, only the last one changes the page. */
  function begin() {
    latest.current += 1
    const mine = latest.current
    return (next: FileState) => {
      if (mine === latest.current) setState(next)
    }
  }

  async function check(
    file: OpenFile,
    show: (next: FileState) => void,
    choices = file.choices,
  ): Promise<void> {
    const unchecked = { ...file, choices, checked: null }
    show({ kind: 'open', file: unchecked })
    try {
      const checked = await reader().check({ choices, currency })
      show({ kind: 'open', file: { ...unchecked, checked } })
    } catch (error) {
      show({ kind: 'refused', name: file.name, sentence: sentenceOf(error) })
    }
  }

  async function open(chosen: File): Promise<void> {
    const show = begin()
    const { name } = chosen
    show({ kind: 'reading', name })
    const begunAt = performance.now()
    try {
      const opened = await reader().open(chosen)
      const readMs = performance.now() - begunAt
      const choices = rememberedChoices(choicesStorage, opened.table)
      await check({ ...opened, name, choices, checked: null, readMs }, show)
    } catch (error) {
      show({ kind: 'refused', name, sentence: sentenceOf(error) })
    }
  }

  async function openSheet(file: OpenFile, sheet: number): Promise<void> {
    const show = begin()
    try {
      const table = await reader().chooseSheet(sheet)
      const choices = rememberedChoices(choicesStorage, table)
      await check({ ...file, table, choices }, show)
    } catch (error) {
      show({ kind: 'refused', name: file.name, sentence: sentenceOf(error) })
    }
  }

  return {
    state,
    count,
    choose(file) {
      setCount(count + 1)
      void open(file)
    },
    chooseSheet(sheet) {
      if (state.kind === 'open') void openSheet(state.file, sheet)
    },
    change(choices) {
      if (state.kind !== 'open') return
      rememberChoices(choicesStorage, state.file.table, choices)
      void check(state.file, begin(), choices)
    },
    refusedCsv: (byServer) => reader().refusedCsv(byServer),
    forget() {
      begin()({ kind: 'none' })
    },
  }
}

const sentenceOf = (error: unknown) =>
  error instanceof FileRefusal
    ? error.message
    : 'The file could not be read. Save it again as CSV or XLSX, and choose it again.'
