import type { RequestHandler } from 'express'
import { HttpError } from './http-error.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Against forged requests from other sites: what changes something carries a header that a
 * foreign form cannot send, and comes from our own origin when the browser names one.
 */
export function refuseForgedRequests(publicUrl: string): RequestHandler {
  const ourOrigin = new URL(publicUrl).origin
  return (request, _response, next) => {
    if (safeMethods.has(request.method)) return next()
    if (request.get('x-requested-with') !== 'fetch') {
      throw new HttpError(
        403,
        'This request did not come from our pages: the header X-Requested-With: fetch is missing.',
      )
    }
    const origin = request.get('origin')
    if (origin !== undefined && origin !== ourOrigin) {
      throw new HttpError(403, `This request came from ${origin}; only ${ourOrigin} may send it.`)
    }
    next()
  }
}
