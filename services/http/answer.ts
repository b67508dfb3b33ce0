import type { Response } from 'express'
import type { z } from 'zod'

/** An answer that is not JSON. */
export interface OtherAnswer<Given> {
  readonly status: 200 | 303
  /** What a caller receives: a phrase for the API documentation. */
  readonly description: string
  /** The media type of the body. Null: no body. */
  readonly contentType: string | null
  /** A method, so that every OtherAnswer is an `OtherAnswer<unknown>`. */
  send(response: Response, given: Given): void
}

/** What a call answers with: JSON of this schema, `file(…)` or `redirect(…)`. */
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
    contentType,
    send(response, { content, fileName }) {
      if (fileName !== undefined) response.attachment(fileName)
      response.type(contentType).send(content)
    },
  }
}

/** The call redirects to an address. The browser requests the address with GET. */
export function redirect(description: string): OtherAnswer<string> {
  return {
    status: 303,
    description,
    contentType: null,
    send: (response, address) => response.redirect(303, address),
  }
}

export function isOtherAnswer(answer: Answer): answer is OtherAnswer<unknown> {
  return 'send' in answer
}
