import type { Request, RequestHandler } from 'express'
import { HttpError } from './http-error.ts'

/** The methods of requests that change nothing. */
export const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses cross-site request forgery (CSRF). A request that changes something must carry a header
 * that a form of another site cannot send. If the browser sends an Origin, it must be the origin of
 * PUBLIC_URL.
 */
export function refuseForgedRequests(publicUrl: string): RequestHandler {
  const publicOrigin = new URL(publicUrl).origin
  return (request, _response, next) => {
    if (safeMethods.has(request.method) || isOfProgram(request)) return next()
    if (request.get('x-requested-with') !== 'fetch') {
      throw new HttpError(
        403,
        'The header X-Requested-With: fetch is missing. Only pages of this product may send this request.',
      )
    }
    const origin = request.get('origin')
    if (origin !== undefined && origin !== publicOrigin) {
      throw new HttpError(
        403,
        `This request came from ${origin}. Only ${publicOrigin} may send it.`,
      )
    }
    next()
  }
}

/**
 * The call with a merchant's key ignores cookies, so a form of another site can do nothing with it.
 * Its path is compared as Express compares it.
 */
function isOfProgram({ method, originalUrl }: Request): boolean {
  const [path = ''] = originalUrl.toLowerCase().split(/[?#]/, 1)
  return method === 'POST' && /^\/api\/receivables\/invoices\/?$/.test(path)
}
