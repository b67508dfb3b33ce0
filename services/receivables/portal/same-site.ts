import type { Request } from 'express'

/**
 * Whether a page of another site sent a form. A page with `Referrer-Policy: no-referrer` sends
 * `Origin: null` with its own forms (https://fetch.spec.whatwg.org/#origin-header), so
 * `Sec-Fetch-Site` decides, which every browser sends that sends forms with the policy. Without
 * both headers, no browser sent it.
 */
export function isOfOtherSite(request: Pick<Request, 'get'>, publicUrl: string): boolean {
  const site = request.get('sec-fetch-site')
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const origin = request.get('origin')
  return origin !== undefined && origin !== 'null' && origin !== new URL(publicUrl).origin
}
