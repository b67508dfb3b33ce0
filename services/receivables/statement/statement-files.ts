import type { StatementResponse } from '#contracts/receivables/statement'

/** What the file of a statement shows. */
export interface StatementFile extends Pick<StatementResponse, 'from' | 'asOf' | 'parts'> {
  readonly merchant: {
    readonly name: string
    /** The lines of the postal address. */
    readonly address: readonly string[]
    readonly email: string | null
    readonly phone: string | null
    /** A PNG or JPEG, and its size in pixels. */
    readonly logo: {
      readonly content: Uint8Array
      readonly width: number
      readonly height: number
    } | null
  }
  readonly client: { readonly name: string; readonly number: string | null }
}

/** Makes the PDF files of statements. */
export interface StatementFiles {
  /**
   * Drops the statement if `signal` aborts before its turn.
   * @throws GateIsFull if too many files are waiting
   * @throws ThreadFailed
   */
  render(statement: StatementFile, signal?: AbortSignal): Promise<Buffer>
}

/** The sentences of a statement that was not made. */
export const unmadeStatement = {
  what: 'statements',
  instead:
    'The file of this statement could not be made. The page shows the same, and you can print it.',
}
