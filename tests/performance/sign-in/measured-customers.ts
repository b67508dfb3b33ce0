import { z } from 'zod'
import { requestOtpResponse, verifyOtpResponse } from '#contracts/auth'
import { makePerson } from '../../../scripts/billing/demo/person.ts'
import { profileFormOf } from '../../../scripts/billing/demo/profile-form-of.ts'
import { createRandom } from '../../../scripts/billing/demo/random.ts'
import { seededRandom } from '../../../scripts/billing/demo/seeded-random.ts'
import { networkAddress } from '../../../scripts/billing/demo/visitor.ts'
import type { MailSink } from './mail-sink.ts'

export interface MeasuredCustomer {
  /** Requests a code and enters it. Rejects if the customer is not signed in then. */
  signIn(): Promise<void>
}

/** A customer of the product, in a browser with cookies and with a network address. */
export function productCustomer(
  url: string,
  index: number,
  mails: MailSink,
): MeasuredCustomer & { signUp(): Promise<void> } {
  const random = createRandom(seededRandom(index))
  const { email, profile } = makePerson(index, random)
  let cookie = ''

  async function call(path: string, body: object): Promise<unknown> {
    const response = await fetch(`${url}/api/auth/${path}`, {
      method: 'POST',
      headers: {
        'x-requested-with': 'fetch',
        'x-forwarded-for': networkAddress(index),
        'content-type': 'application/json',
        cookie,
      },
      body: JSON.stringify(body),
    })
    const [line] = response.headers.getSetCookie()
    cookie = line?.split(';')[0] ?? cookie
    return answerOf(response, path)
  }

  async function signIn(): Promise<void> {
    // A sign-in begins without a session.
    cookie = ''
    const code = mails.nextCode(email)
    const { userId } = requestOtpResponse.parse(await call('request-otp', { email }))
    verifyOtpResponse.parse(await call('verify-otp', { userId, otp: await code }))
  }

  return {
    signIn,
    async signUp() {
      await call('check-user', { email })
      await call('complete-signup', { email, ...profileFormOf(profile) })
      await signIn()
    },
  }
}

const bareAnswer = z.object({ session: z.string() })

/** A customer of the bare route, which needs no sign-up and uses no cookies. */
export function bareCustomer(url: string, index: number, mails: MailSink): MeasuredCustomer {
  const email = `bare-${index}@example.com`
  const call = async (path: string, body: object) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return bareAnswer.parse(await answerOf(response, path))
  }
  return {
    async signIn() {
      const code = mails.nextCode(email)
      const { session } = await call('request-otp', { email })
      await call('verify-otp', { userId: email, otp: await code, session })
    },
  }
}

async function answerOf(response: Response, path: string): Promise<unknown> {
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}
