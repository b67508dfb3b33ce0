import twilio from 'twilio'

const timeoutMs = 10_000

export interface TwilioAccount {
  readonly accountSid: string
  readonly authToken: string
  /** The sender's number in E.164. */
  readonly from: string
  /** The origin of the sandbox that takes Twilio's place; null for Twilio. */
  readonly origin: string | null
}

/** Twilio's client for one account. A request times out after 10 s. */
export function createTwilioClient({ accountSid, authToken, origin }: TwilioAccount) {
  const httpClient = new (origin === null ? twilio.RequestClient : clientOf(origin))({
    timeout: timeoutMs,
  })
  return twilio(accountSid, authToken, { httpClient })
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
