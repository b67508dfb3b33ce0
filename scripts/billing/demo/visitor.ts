import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import {
  plansResponse,
  type createCheckoutSessionRequest,
  type PlanResponse,
  type PortalAction,
} from '#contracts/checkout'
import { profileFormOf } from './profile-form-of.ts'
import { cards, type CardName } from './action.ts'
import type { Person } from './person.ts'
import { RefusedCall } from './refused-call.ts'

const messages = z.array(z.object({ text: z.string() }))
const userIdAnswer = z.object({ userId: z.string() })
const urlAnswer = z.object({ url: z.url() })
const sessionAnswer = z.object({ sessionId: z.string(), url: z.url() })
const codeWaitMs = 10_000

export interface Places {
  /** The product's address on this machine. */
  readonly productUrl: string
  readonly sandboxUrl: string
  readonly signal: AbortSignal
  /** The newest mailed code. Null if none has arrived. Default: reads the sandbox's inbox. */
  readonly readCode?: (email: string) => Promise<string | null>
  /** Before each call of a sign-up. Default: nothing. */
  readonly beforeSignUp?: () => Promise<void>
}

export type Visitor = ReturnType<typeof createVisitor>

/**
 * The browser of one customer: keeps cookies, calls the API, and submits the forms of the hosted
 * pages. `address` is the customer's network address, because the product limits sign-ups per
 * address. Every function rejects if an answer is no success.
 */
// A list of short calls that share the cookies of one browser.
// oxlint-disable-next-line max-lines-per-function
export function createVisitor(
  { productUrl, sandboxUrl, signal, readCode, beforeSignUp }: Places,
  { email, profile }: Person,
  address: string,
) {
  const cookies = new Map<string, string>()

  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  async function call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(productUrl + path, {
      method,
      redirect: 'manual',
      signal,
      headers: {
        'x-requested-with': 'fetch',
        'x-forwarded-for': address,
        'content-type': 'application/json',
        cookie: cookieHeader(),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    const text = await response.text()
    if (!response.ok) throw new RefusedCall(`${method} ${path}`, response.status, text)
    return JSON.parse(text)
  }

  async function signUpCall(path: string, body: unknown): Promise<unknown> {
    await beforeSignUp?.()
    return call('POST', path, body)
  }

  /** A page of the sandbox. The links name the host of PUBLIC_URL. */
  const hosted = (url: string) => sandboxUrl + new URL(url).pathname

  async function submit(
    url: string,
    form: Readonly<Record<string, string>>,
    expected: readonly number[] = [303],
  ): Promise<void> {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal,
      body: new URLSearchParams(form),
    })
    await response.text()
    if (!expected.includes(response.status))
      throw new RefusedCall(`The form at ${new URL(url).pathname}`, response.status)
  }

  async function sandboxCode(): Promise<string | null> {
    const answer = await fetch(`${sandboxUrl}/inbox.json?to=${encodeURIComponent(email)}`, {
      signal,
    })
    const codes = messages
      .parse(await answer.json())
      .flatMap(({ text }) => /\b\d{6}\b/.exec(text) ?? [])
    return codes[0] ?? null
  }

  async function code(): Promise<string> {
    const until = performance.now() + codeWaitMs
    while (performance.now() < until) {
      const found = await (readCode ?? sandboxCode)(email)
      if (found !== null) return found
      await sleep(50, undefined, { signal })
    }
    throw new Error(`No sign-in code for ${email} arrived within 10 s.`)
  }

  const cardForm = (card: CardName) => ({
    email,
    cardNumber: cards[card],
    expiry: '08 / 49',
    cvc: card === 'amex' ? '1234' : '123',
    name: profile.fullName,
    country: 'US',
    postalCode: profile.zipcode,
  })

  const form = profileFormOf(profile)

  let account: string | null = null
  let shown: PlanResponse | null = null

  /** The plan on the pricing page, which the browser keeps. */
  async function seePlan(): Promise<PlanResponse> {
    const [plan] =
      shown === null ? plansResponse.parse(await call('GET', '/api/plans')).plans : [shown]
    if (plan === undefined) throw new Error('No plan is on sale.')
    shown = plan
    return plan
  }

  /** The request of a click on Subscribe. */
  async function checkoutRequest(): Promise<z.input<typeof createCheckoutSessionRequest>> {
    const plan = await seePlan()
    return {
      email,
      priceId: plan.stripePriceId,
      planDetails: {
        id: plan.id,
        accounts: plan.accounts,
        price: String(plan.price),
        name: plan.name,
        totalPrice: String(plan.totalPrice),
        features: [],
        interval: plan.interval,
        stripeProductId: plan.stripeProductId,
      },
    }
  }

  /** Clicks Subscribe. Returns the hosted page. */
  async function createCheckout(): Promise<z.infer<typeof sessionAnswer>> {
    return sessionAnswer.parse(
      await call('POST', '/api/create-checkout-session', await checkoutRequest()),
    )
  }

  /** The address of a new portal link. */
  async function portal(action: PortalAction): Promise<string> {
    const { url } = urlAnswer.parse(
      await call('POST', '/api/create-customer-portal-session', {
        email,
        returnUrl: '/purchases',
        action,
      }),
    )
    return hosted(url)
  }

  return {
    email,
    /** The profile as the sign-up sends it. */
    form,
    cookieHeader,
    /** @throws Error before the sign-up */
    userId(): string {
      if (account === null) throw new Error(`${email} has not signed up.`)
      return account
    },

    enterAddress: () => signUpCall('/api/auth/check-user', { email }),

    async signUp(verifies: boolean): Promise<void> {
      await signUpCall('/api/auth/check-user', { email })
      const { userId } = userIdAnswer.parse(
        await signUpCall('/api/auth/complete-signup', { email, ...form }),
      )
      account = userId
      await signUpCall('/api/auth/request-otp', { email })
      if (verifies) await signUpCall('/api/auth/verify-otp', { userId, otp: await code() })
    },

    /** A call of the API with the customer's session. Returns the answer. */
    call,

    /** Completes the provider's form of the customer's account. */
    async completeAccountForm(link: string): Promise<void> {
      const opened = await fetch(hosted(link), { redirect: 'manual', signal })
      await opened.text()
      const form = new URL(opened.headers.get('location') ?? '', hosted(link)).href
      await submit(hosted(form), { action: 'finish', businessName: profile.companyName })
    },

    /** A client pays at the hosted page of a checkout. */
    payAt: (url: string, card: CardName) => submit(hosted(url), cardForm(card)),

    seePlan,
    createCheckout,
    checkoutRequest,

    /** Pays at the hosted page. Returns the id of the session. */
    async pay(card: CardName, isDeclinedFirst: boolean): Promise<string> {
      const { sessionId, url } = await createCheckout()
      if (isDeclinedFirst) await submit(hosted(url), cardForm('declined'), [402])
      await submit(hosted(url), cardForm(card))
      return sessionId
    },

    async changeCard(card: CardName): Promise<void> {
      await submit(`${await portal('payment_method')}/card`, cardForm(card))
    },

    /** Chooses a plan that starts at the end of the period. */
    async schedulePlan(price: string): Promise<void> {
      const link = await portal('update')
      const page = await fetch(`${link}/plan/confirm?price=${encodeURIComponent(price)}`, {
        signal,
      })
      const html = await page.text()
      const fields = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
      await submit(
        `${link}/plan`,
        Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value])),
      )
    },

    keepPlan: async () => submit(`${await portal('manage')}/keep-plan`, {}),
    cancel: async () => submit(`${await portal('cancel')}/cancel`, {}),
    withdrawCancellation: async () => submit(`${await portal('manage')}/keep`, {}),
  }
}

/** The network address of a customer, of the range for benchmarks (RFC 2544). */
export function networkAddress(index: number): string {
  return `198.${18 + (Math.floor(index / 62_500) % 2)}.${Math.floor(index / 250) % 250}.${1 + (index % 250)}`
}
