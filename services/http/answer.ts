import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import type { z } from 'zod'

/** An answer that is not JSON. */
export interface OtherAnswer<Given> {
  readonly status: 200 | 303
  /** What a caller receives: a phrase for the API documentation. */
  readonly description: string
  /** The media types that the body can have. None: no body. */
  readonly contentTypes: readonly string[]
  /** A method, so that every OtherAnswer is an `OtherAnswer<unknown>`. */
  send(response: Response, given: Given): void | Promise<void>
}

/** What a call answers with: JSON of this schema, `file(…)`, `download(…)` or `redirect(…)`. */
export type Answer = z.ZodType | OtherAnswer<unknown>

/** What the handler of a call with this answer returns. */
export type Given<Declared extends Answer> = Declared extends z.ZodType
  ? z.input<Declared>
  : Declared extends OtherAnswer<infer Value>
    ? Value
    : never

export interface SentFile {
  readonly content: string | Buffer
  /** The browser saves the file under this name. Without a name the browser shows the file. */
  readonly fileName?: string
}

/** The call answers with a file. */
export function file(contentType: string, description: string): OtherAnswer<SentFile> {
  return {
    status: 200,
    description,
    contentTypes: [contentType],
    send(response, { content, fileName }) {
      if (fileName !== undefined) response.attachment(fileName)
      response.type(contentType).send(content)
    },
  }
}

/** A body that is made while it is sent. */
export interface SentDownload {
  readonly contentType: string
  /** The browser saves the body under this name. Null: the page reads the body. */
  readonly fileName: string | null
  /**
   * The parts of the body. An error before the first part is answered as any other error. `signal`
   * aborts when the client disconnects.
   */
  readonly parts: (signal: AbortSignal) => AsyncGenerator<string | Uint8Array, void, undefined>
}

/** A client that takes nothing for this time is disconnected, in milliseconds. */
const stalledMs = 60_000

/**
 * The call answers with a body of any size. The next part is made when the client has taken the
 * part before, and none after the client disconnected.
 */
export function download(
  contentTypes: readonly string[],
  description: string,
): OtherAnswer<SentDownload> {
  return {
    status: 200,
    description,
    contentTypes,
    async send(response, { contentType, fileName, parts }) {
      const gone = new AbortController()
      // The client can disconnect before the answer begins.
      if (response.closed) return
      response.once('close', () => gone.abort())
      const made = parts(gone.signal)
      try {
        const first = await made.next()
        if (gone.signal.aborted) return
        if (fileName !== null) response.attachment(fileName)
        response.type(contentType)
        response.setTimeout(stalledMs, () => response.destroy())
        await pipeline(Readable.from(startingWith(first, made), { highWaterMark: 1 }), response)
      } catch (error) {
        // Nobody waits for the rest.
        if (!gone.signal.aborted) throw error
      } finally {
        await made.return()
      }
    },
  }
}

async function* startingWith<Part>(
  first: IteratorResult<Part, void>,
  rest: AsyncGenerator<Part, void, undefined>,
): AsyncGenerator<Part, void, undefined> {
  if (first.done === true) return
  yield first.value
  yield* rest
}

/** The call redirects to an address. The browser requests the address with GET. */
export function redirect(description: string): OtherAnswer<string> {
  return {
    status: 303,
    description,
    contentTypes: [],
    send: (response, address) => response.redirect(303, address),
  }
}

/** Answers HEAD. Headers that only the handler can determine are left out (RFC 9110, 9.3.2). */
export function sendHead(response: Response, { status, contentTypes }: OtherAnswer<unknown>): void {
  const [contentType, ...others] = contentTypes
  if (contentType !== undefined && others.length === 0) response.type(contentType)
  response.status(status).end()
}

export function isOtherAnswer(answer: Answer): answer is OtherAnswer<unknown> {
  return 'send' in answer
}

/** Whether the answer ends only when the client disconnects. */
export function isOpenStream(answer: Answer): boolean {
  return (
    isOtherAnswer(answer) &&
    answer.contentTypes.every((type) => type === 'text/event-stream') &&
    answer.contentTypes.length > 0
  )
}
