import type Stripe from 'stripe'
import { MailNotSent, type Mailer } from '#services/mail/mailer'

/** The last outcome of the calls of one service. */
interface Outcome {
  answered(): void
  failed(): void
}

/** Which services outside the product answered their last call of this process. */
export interface OutsideServices {
  readonly provider: Outcome
  readonly mails: Outcome
  /** One sentence for each service that does not answer. */
  reasons(): readonly string[]
  /** Of every service that this process has called in the last 10 min. */
  measured(): readonly { readonly service: string; readonly answers: boolean }[]
}

const services = {
  'payment-provider': (seconds: number) =>
    `The payment provider has not answered for ${seconds} s. Checkouts and portals fail until it answers.`,
  'mail-server': (seconds: number) =>
    `The mail server has not answered for ${seconds} s. No sign-in code is sent, and other mails wait.`,
} as const

/** The reconciler calls the provider every 5 min. Without a later call, an outcome says nothing. */
const forgottenAfterMs = 600_000

/**
 * Remembers for /readyz and the metrics whether the last call of each service got an answer. It
 * sends no calls of its own. A refusal is an answer.
 * @param now monotonic milliseconds
 */
export function createOutsideServices(
  now: () => number = () => performance.now(),
): OutsideServices {
  /** By service: the time of the last call, and of the first of the failures in a row. */
  const last = new Map<keyof typeof services, { at: number; failedSince: number | null }>()

  const outcomeOf = (service: keyof typeof services): Outcome => ({
    answered: () => void last.set(service, { at: now(), failedSince: null }),
    failed: () =>
      void last.set(service, { at: now(), failedSince: last.get(service)?.failedSince ?? now() }),
  })
  const known = () => [...last].filter(([, { at }]) => now() - at < forgottenAfterMs)

  return {
    provider: outcomeOf('payment-provider'),
    mails: outcomeOf('mail-server'),
    reasons: () =>
      known().flatMap(([service, { failedSince }]) =>
        failedSince === null ? [] : services[service](Math.round((now() - failedSince) / 1_000)),
      ),
    measured: () =>
      known().map(([service, { failedSince }]) => ({ service, answers: failedSince === null })),
  }
}

/** Notes whether the mail server answers. */
export function notingMailer(mailer: Mailer, mails: Outcome): Mailer {
  return {
    ...mailer,
    async send(mail) {
      try {
        await mailer.send(mail)
        mails.answered()
      } catch (error) {
        if (error instanceof MailNotSent && !error.isOutage && !error.isUnanswered) mails.answered()
        else mails.failed()
        throw error
      }
    },
  }
}

/** Notes whether Stripe answers. A status of 5xx is no answer. */
export function notingHttpClient<Client extends Pick<Stripe.HttpClient, 'makeRequest'>>(
  client: Client,
  provider: Outcome,
): Client {
  const makeRequest = client.makeRequest.bind(client)
  client.makeRequest = async (...request) => {
    try {
      const response = await makeRequest(...request)
      if (response.getStatusCode() < 500) provider.answered()
      else provider.failed()
      return response
    } catch (error) {
      provider.failed()
      throw error
    }
  }
  return client
}
