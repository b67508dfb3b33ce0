import type { StatementResponse } from '#contracts/receivables/statement'

/** A merchant as its clients know it. */
export interface FileMerchant {
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

export interface FileClient {
  readonly name: string
  readonly number: string | null
}

/** What the file of a statement shows. */
export interface StatementFile extends Pick<StatementResponse, 'from' | 'asOf' | 'parts'> {
  readonly merchant: FileMerchant
  readonly client: FileClient
}

/** The merchant's lines in a file. */
export function fromLines({ name, address, email, phone }: FileMerchant): readonly string[] {
  return [name, ...address, email, phone].filter(isText)
}

/** The client's lines in a file. */
export function toLines({ name, number }: FileClient): readonly string[] {
  return [name, number === null ? null : `Client number ${number}`].filter(isText)
}

function isText(line: string | null): line is string {
  return line !== null && line !== ''
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
