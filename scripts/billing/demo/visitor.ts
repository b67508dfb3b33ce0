import { z } from 'zod'
import {
  plansResponse,
  type createCheckoutSessionRequest,
  type PlanResponse,
  type PortalAction,
} from '#contracts/checkout'
import { cards, type CardName } from './action.ts'
import { createBrowserSession, type BrowserSession } from './browser-session.ts'
import { codesOfSandbox, mailedCode } from './mailed-code.ts'
import type { Person } from './person.ts'
import { profileFormOf } from './profile-form-of.ts'

const userIdAnswer = z.object({ userId: z.string() })
const urlAnswer = z.object({ url: z.url() })
const sessionAnswer = z.object({ sessionId: z.string(), url: z.url() })

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
 * The browser of one customer: signs up, subscribes and changes the subscription. `address` is the
 * customer's network address, because the product limits sign-ups per address. Every function
 * rejects if an answer is no success.
 */
export function createVisitor(places: Places, person: Person, address: string) {
  const browser = createBrowserSession(places, address)
  const { cookieHeader, call, hosted, submit, open } = browser
  const cardForm = (card: CardName) => cardFormOf(person, card)
  return {
    email: person.email,
    cookieHeader,
    call,
    ...signUpOf(places, person, browser),
    ...purchasesOf(person.email, browser, cardForm),
    ...changesOf(person.email, browser, cardForm),

    /** Completes the provider's form of the customer's account. */
    async completeAccountForm(link: string): Promise<void> {
      const { location } = await open(hosted(link))
      const form = new URL(location, hosted(link)).href
      const businessName = person.profile.companyName
      await submit(hosted(form), { action: 'finish', businessName })
    },

    /** A client pays at the hosted page of a checkout. */
    payAt: (url: string, card: CardName) => submit(hosted(url), cardForm(card)),
  }
}

function cardFormOf({ email, profile }: Person, card: CardName) {
  return {
    email,
    cardNumber: cards[card],
    expiry: '08 / 49',
    cvc: card === 'amex' ? '1234' : '123',
    name: profile.fullName,
    country: 'US',
    postalCode: profile.zipcode,
  }
}

function signUpOf(
  { sandboxUrl, signal, readCode = codesOfSandbox(sandboxUrl, signal), beforeSignUp }: Places,
  { email, profile }: Person,
  { call }: BrowserSession,
) {
  const form = profileFormOf(profile)
  let account: string | null = null

  async function signUpCall(path: string, body: unknown): Promise<unknown> {
    await beforeSignUp?.()
    return call('POST', path, body)
  }

  return {
    /** The profile as the sign-up sends it. */
    form,
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
      if (!verifies) return
      const otp = await mailedCode(email, readCode, signal)
      await signUpCall('/api/auth/verify-otp', { userId, otp })
    },
  }
}

type CardForm = (card: CardName) => Readonly<Record<string, string>>

function purchasesOf(email: string, { call, hosted, submit }: BrowserSession, cardForm: CardForm) {
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

  return {
    seePlan,
    checkoutRequest,
    createCheckout,

    /** Pays at the hosted page. Returns the id of the session. */
    async pay(card: CardName, isDeclinedFirst: boolean): Promise<string> {
      const { sessionId, url } = await createCheckout()
      if (isDeclinedFirst) await submit(hosted(url), cardForm('declined'), [402])
      await submit(hosted(url), cardForm(card))
      return sessionId
    },
  }
}

/** What a customer changes in the billing portal. */
function changesOf(
  email: string,
  { call, hosted, submit, open }: BrowserSession,
  cardForm: CardForm,
) {
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
    async changeCard(card: CardName): Promise<void> {
      await submit(`${await portal('payment_method')}/card`, cardForm(card))
    },

    /** Chooses a plan that starts at the end of the period. */
    async schedulePlan(price: string): Promise<void> {
      const link = await portal('update')
      const { html } = await open(`${link}/plan/confirm?price=${encodeURIComponent(price)}`)
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
