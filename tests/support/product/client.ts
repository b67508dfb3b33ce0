import { inboxOf } from './inbox.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The JSON body, or null if the body is no JSON. */
  readonly body: Record<string, unknown> | null
}

interface Addresses {
  readonly url: string
  readonly sandboxUrl: string
}

export const profile = {
  full_name: 'Dana Whitlock',
  company_name: 'Birchwood Dental Group',
  domain: 'Dental',
  address: '418 Orchard Lane, Suite 2',
  city: 'Duluth',
  state: 'Minnesota',
  zipcode: '55802',
  support_email: 'help@birchwooddental.example',
  support_phone: '(218) 555-0147',
  has_accepted_terms: true,
}

export const planDetails = {
  id: 'monthly',
  accounts: 'Unlimited',
  price: '39',
  name: 'Monthly Plan',
  totalPrice: '39',
  features: [],
  interval: 'month',
  stripeProductId: 'prod_sandbox_monthly',
}

/**
 * A client that keeps cookies and sends the headers of the product's pages, as a browser does, and
 * `always` with each request.
 */
export function createClient(product: Addresses, always: Record<string, string> = {}) {
  const cookies = new Map<string, string>()

  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(product.url + path, {
      method,
      redirect: 'manual',
      headers: {
        'x-requested-with': 'fetch',
        cookie: cookieHeader(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...always,
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: parse(text) }
  }
  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const get = (path: string) => send('GET', path)
  const post = (path: string, body?: unknown, headers?: Record<string, string>) =>
    send('POST', path, body ?? {}, headers)

  return {
    get,
    post,
    send,
    cookieHeader,
    /** For the cookies of a browser. */
    browserCookies: () => [...cookies].map(([name, value]) => ({ name, value, url: product.url })),
    /** Also sends the cookies of another client from now on. */
    takeCookies(other: { cookieHeader(): string }): void {
      for (const pair of other.cookieHeader().split('; ').filter(Boolean)) {
        const [name = '', value = ''] = pair.split('=')
        cookies.set(name, value)
      }
    },
    /** Signs up a new customer with the mailed code. Returns the user id. */
    async signUp(email: string): Promise<string> {
      await post('/api/auth/check-user', { email })
      const { body } = await post('/api/auth/complete-signup', { ...profile, email })
      await post('/api/auth/request-otp', { email })
      const userId = String(body?.['userId'])
      const verified = await post('/api/auth/verify-otp', {
        userId,
        otp: await inboxOf(product, email).code(),
      })
      if (verified.body?.['isVerified'] !== true)
        throw new Error(`Signing in failed: ${JSON.stringify(verified.body)}`)
      return userId
    },
    /** Signs in to an account that has a profile, with a newly mailed code. */
    async signIn(email: string): Promise<void> {
      await post('/api/auth/check-user', { email })
      const { body } = await post('/api/auth/request-otp', { email })
      const otp = await inboxOf(product, email).code()
      await post('/api/auth/verify-otp', { userId: String(body?.['userId']), otp })
    },
    createCheckoutSession: (email: string, headers?: Record<string, string>) =>
      post(
        '/api/create-checkout-session',
        { email, priceId: 'price_sandbox_monthly', planDetails },
        headers,
      ),
  }
}

/**
 * Submits the form of the hosted checkout page. Returns the status and the address of the redirect.
 */
export async function payAt(
  checkoutUrl: string,
  cardNumber = '4242424242424242',
  expiry = '08 / 32',
): Promise<{ status: number; location: string | null }> {
  const form = {
    email: 'dana@example.com',
    cardNumber,
    expiry,
    cvc: '123',
    name: 'Dana Whitlock',
    country: 'US',
    postalCode: '55802',
  }
  const response = await fetch(checkoutUrl, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  })
  return { status: response.status, location: response.headers.get('location') }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return null
  }
}
