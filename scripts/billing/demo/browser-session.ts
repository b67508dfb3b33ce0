import { RefusedCall } from './refused-call.ts'

/** What one browser does: it keeps cookies, calls the API, and submits forms of hosted pages. */
export type BrowserSession = ReturnType<typeof createBrowserSession>

/**
 * A browser without cookies. Every function rejects if an answer is no success.
 * @param address its network address, because the product limits sign-ups per address
 */
export function createBrowserSession(
  {
    productUrl,
    sandboxUrl,
    signal,
  }: {
    /** The product's address on this machine. */
    readonly productUrl: string
    readonly sandboxUrl: string
    readonly signal: AbortSignal
  },
  address: string,
) {
  const cookies = new Map<string, string>()
  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  return {
    cookieHeader,

    /** A call of the API with the session. Returns the answer. */
    async call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown> {
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
    },

    /** The address of a page of the sandbox. Its links name the host of PUBLIC_URL. */
    hosted: (url: string) => sandboxUrl + new URL(url).pathname,

    /** Opens a page without cookies, and follows no redirect. */
    async open(url: string): Promise<{ readonly location: string; readonly html: string }> {
      const response = await fetch(url, { redirect: 'manual', signal })
      return { location: response.headers.get('location') ?? '', html: await response.text() }
    },

    async submit(
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
    },
  }
}
