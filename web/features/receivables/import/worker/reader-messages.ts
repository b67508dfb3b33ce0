import type { CheckedTable } from '../check/check-rows.ts'
import type { OpenedFile } from '../file/open-file.ts'
import type { Choices } from '../table/remembered-choices.ts'
import type { Table } from '../table/table.ts'

/** What the page shows of the table of a sheet. The rows stay in the worker. */
export interface TableView extends Pick<Table, 'proposed'> {
  readonly sheet: number
  readonly rows: number
  readonly columns: readonly (Table['columns'][number] & {
    /** Of the first rows. */
    readonly values: readonly string[]
  })[]
}

interface FileView extends Pick<OpenedFile, 'sheets'> {
  readonly size: number
  /** Of the bytes, in hexadecimal digits. Null if the page is not on https. */
  readonly sha256: string | null
  readonly table: TableView
}

/** The requests of the page with their answers. A sheet is chosen after a file was opened. */
export interface ReaderCalls {
  readonly open: { readonly given: Blob; readonly answer: FileView }
  readonly chooseSheet: { readonly given: number; readonly answer: TableView }
  readonly check: {
    readonly given: { readonly choices: Choices; readonly currency: string }
    readonly answer: CheckedTable
  }
  /** Of the last check, with the rows that the server refused. */
  readonly refusedCsv: {
    readonly given: readonly { readonly row: number; readonly reason: string }[]
    readonly answer: string
  }
}

export type Reader = {
  readonly [Call in keyof ReaderCalls]: (
    given: ReaderCalls[Call]['given'],
  ) => Promise<ReaderCalls[Call]['answer']>
}

export type ReaderRequest = {
  readonly [Call in keyof ReaderCalls]: {
    readonly id: number
    readonly call: Call
    readonly given: ReaderCalls[Call]['given']
  }
}[keyof ReaderCalls]

/** `refusal` is a sentence for the merchant, `failure` is a fault of the product. */
export type ReaderAnswer =
  | { readonly id: number; readonly answer: ReaderCalls[keyof ReaderCalls]['answer'] }
  | { readonly id: number; readonly refusal: string }
  | { readonly id: number; readonly failure: string }
