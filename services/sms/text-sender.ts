import twilio from 'twilio'
import { z } from 'zod'

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
  /** Twilio's error code, or the code of the network error. */
  readonly code: string
  /** Without `cause` and its text: Twilio repeats the number in its answer. */
  constructor(cause: unknown) {
    const { code, status = 0 } = twilioError.catch({}).parse(cause)
    super(`Twilio did not accept the text (${code ?? 'no code'}, status ${status}).`)
    this.code = String(code ?? status)
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
}

/** Twilio's error: the recipient is unsubscribed. https://www.twilio.com/docs/api/errors/21610 */
const stoppedCode = 21_610
const timeoutMs = 10_000

const twilioError = z.object({
  code: z.union([z.int(), z.string()]).optional(),
  status: z.int().optional(),
})

export interface TwilioAccount {
  readonly accountSid: string
  readonly authToken: string
  /** The sender's number in E.164. */
  readonly from: string
  /** The origin of the sandbox that takes Twilio's place; null for Twilio. */
  readonly origin: string | null
}

export function createTextSender({
  accountSid,
  authToken,
  from,
  origin,
}: TwilioAccount): TextSender {
  const httpClient = new (origin === null ? twilio.RequestClient : clientOf(origin))({
    timeout: timeoutMs,
  })
  const client = twilio(accountSid, authToken, { httpClient })
  return {
    async send({ to, body }) {
      try {
        const { sid } = await client.messages.create({ to, from, body })
        return { sid }
      } catch (error) {
        throw new TextNotSent(error)
      }
    },
  }
}

/** Twilio's SDK has no option for its address, so the requests are rewritten. */
function clientOf(origin: string): typeof twilio.RequestClient {
  return class extends twilio.RequestClient {
    override request<Data>(
      options: Parameters<InstanceType<typeof twilio.RequestClient>['request']>[0] & {
        data?: Data
      },
    ) {
      const { pathname, search } = new URL(options.uri)
      return super.request<Data>({ ...options, uri: `${origin}${pathname}${search}` })
    }
  }
}
