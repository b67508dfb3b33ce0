import helmet from 'helmet'
import type { RequestHandler } from 'express'

/**
 * No inline script and no inline style: what the pages need is in files of their own. React sets
 * style properties through the CSSOM, which the policy does not touch.
 */
export function securityHeaders(isHttps: boolean): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(isHttps ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  })
}

/** 127.0.0.1 and localhost are two origins to a browser: pages are sent to the one that PUBLIC_URL names. */
export function redirectToPublicHost(publicUrl: string): RequestHandler {
  const { host, hostname } = new URL(publicUrl)
  const localNames = new Set(['127.0.0.1', 'localhost', '[::1]'])
  return (request, response, next) => {
    const asked = request.get('host') ?? host
    const askedName = asked.replace(/:\d+$/, '')
    const isOtherLocalName =
      localNames.has(askedName) && localNames.has(hostname) && askedName !== hostname
    if (!isOtherLocalName || request.method !== 'GET') return next()
    response.redirect(308, new URL(request.originalUrl, publicUrl).href)
  }
}
