import { isIP } from 'node:net'
import type { Request, RequestHandler, Response } from 'express'

/**
 * Refuses what the page of another site sends by the browser of this machine. A page whose name
 * resolves to this machine (DNS rebinding) could otherwise read the inbox as its own origin, and a
 * form can post to any address. Programs send no Origin.
 * @param addresses at which the sandbox and the product are reached
 */
export function refuseOtherSites(addresses: () => readonly string[]): RequestHandler {
  return (request, response, next) => {
    const { host } = request.headers
    const name = hostNameOf(host)
    if (name === null || !(isThisMachine(name) || addresses().some((url) => hostOf(url) === name)))
      return refuse(
        request,
        response,
        421,
        `The sandbox does not answer at the host ${JSON.stringify((host ?? '').slice(0, 100))}. Use localhost, or set PUBLIC_URL to an address with this host.`,
      )
    const { origin } = request.headers
    const mayChange = request.method !== 'GET' && request.method !== 'HEAD'
    if (mayChange && origin !== undefined && !isOriginOf(origin, host))
      return refuse(
        request,
        response,
        403,
        `A page of another site (${origin.slice(0, 100)}) sent this request. The sandbox accepts forms of its own pages only.`,
      )
    next()
  }
}

/**
 * A numeric address always names the server that the browser reached: no page can rebind it. A
 * browser resolves names in localhost itself.
 */
function isThisMachine(name: string): boolean {
  return (
    name === 'localhost' || name.endsWith('.localhost') || isIP(name.replace(/^\[|\]$/g, '')) !== 0
  )
}

/** Lower case and without the port. Null if it is no host. */
function hostNameOf(host: string | undefined): string | null {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return null
  return hostOf(`http://${host}`)
}

function hostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname : null
}

/** `Origin: null` is of a page that hides its site. */
function isOriginOf(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()
}

/** Stripe's SDK takes an error without the object `error` for a success. */
function refuse(request: Request, response: Response, status: number, message: string): void {
  const isStripeCall = /^\/v[12](\/|$)/.test(request.path)
  response
    .status(status)
    .json({ error: isStripeCall ? { type: 'invalid_request_error', message } : message })
}
