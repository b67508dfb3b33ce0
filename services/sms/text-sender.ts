import { z } from 'zod'
import type { TwilioAccount } from './twilio-client.ts'

interface TextMessage {
  /** In E.164: `+12185550147`. */
  readonly to: string
  readonly body: string
}

/** Twilio refused the text or did not answer. */
export class TextNotSent extends Error {
  override readonly name = 'TextNotSent'
  /** The person answered STOP: no later text can be sent either. */
  readonly isStopped: boolean
  /** Twilio refuses this text for good, for example because the number gets no texts. */
  readonly isRefused: boolean
  /** Twilio did not answer the request: it may have accepted the text. */
  readonly isUnanswered: boolean
  /** Twilio's error code, or the code of the network error. */
  readonly code: string
  /** Without `cause` and its text: Twilio repeats the number in its answer. */
  constructor(cause: unknown) {
    const { code, status = 0 } = twilioError.catch({}).parse(cause)
    super(`Twilio did not accept the text (${code ?? 'no code'}, status ${status}).`)
    this.code = String(code ?? status)
    this.isUnanswered = status === 0 && unansweredCodes.includes(this.code)
    this.isStopped = code === stoppedCode
    // 401 and 403: the operator can correct the settings. 429 and 5xx: Twilio can recover.
    this.isRefused = status >= 400 && status < 500 && ![401, 403, 429].includes(status)
  }
}

export interface TextSender {
  /**
   * Returns Twilio's id of the text when Twilio has accepted it.
   * @throws TextNotSent
   */
  send(text: TextMessage): Promise<{ readonly sid: string }>
  /**
   * The newest text to the number since then that has these words, among the last 100 to it. Null
   * if Twilio has accepted none.
   * @throws TextNotSent
   */
  find(search: TextSearch): Promise<{ readonly sid: string; readonly body: string } | null>
}

interface TextSearch {
  /** In E.164. */
  readonly to: string
  readonly including: string
  readonly since: Date
}

const maxSearched = 100

/** Twilio's error: the recipient is unsubscribed. https://www.twilio.com/docs/api/errors/21610 */
const stoppedCode = 21_610
/** The timeout of the HTTP client, and a connection that ends before the answer. */
const unansweredCodes = ['ECONNABORTED', 'ECONNRESET']

const twilioError = z.object({
  code: z.union([z.int(), z.string()]).optional(),
  status: z.int().optional(),
})

/** Twilio's SDK is large. The first text loads it, so that a start does not. */
export function createTextSender(account: TwilioAccount): TextSender {
  const load = async () => {
    const { createTwilioClient } = await import('./twilio-client.ts')
    return createTwilioClient(account)
  }
  let client: ReturnType<typeof load> | undefined
  return {
    async send({ to, body }) {
      const { messages } = await (client ??= load())
      try {
        const { sid } = await messages.create({ to, from: account.from, body })
        return { sid }
      } catch (error) {
        throw new TextNotSent(error)
      }
    },
    async find({ to, including, since }) {
      const { messages } = await (client ??= load())
      try {
        const found = await messages.list({ to, from: account.from, limit: maxSearched })
        const match = found.find(
          ({ body, dateCreated }) => body.includes(including) && dateCreated >= since,
        )
        return match === undefined ? null : { sid: match.sid, body: match.body }
      } catch (error) {
        throw new TextNotSent(error)
      }
    },
  }
}
