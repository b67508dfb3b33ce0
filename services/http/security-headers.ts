import helmet from 'helmet'
import type { RequestHandler } from 'express'
import type { InlineSources } from './inline-sources.ts'

/**
 * The policy allows only these inline scripts and style elements, given by their hashes, and no
 * `style` attribute. React sets style properties through the CSSOM, to which the policy does not
 * apply.
 */
export function securityHeaders(isHttps: boolean, inline: InlineSources): RequestHandler {
  return helmet({
    contentSecurityPolicy: policyOf(isHttps, inline),
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  })
}

/** Other hosts that a page may reach: origins. */
export interface OtherHosts {
  readonly scripts: readonly string[]
  readonly frames: readonly string[]
  readonly connections: readonly string[]
}

/** Replaces the policy of one answer by one that also allows these hosts. */
export function allowOtherHosts(
  isHttps: boolean,
  inline: InlineSources,
  hosts: OtherHosts,
): RequestHandler {
  return helmet.contentSecurityPolicy(policyOf(isHttps, inline, hosts))
}

function policyOf(isHttps: boolean, inline: InlineSources, hosts?: OtherHosts) {
  return {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'", ...inline.scripts, ...(hosts?.scripts ?? [])],
      styleSrc: ["'self'", ...inline.styles],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'", ...(hosts?.connections ?? [])],
      ...(hosts === undefined ? {} : { frameSrc: hosts.frames }),
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      ...(isHttps ? { upgradeInsecureRequests: [] } : {}),
    },
  }
}

/**
 * 127.0.0.1 and localhost are two origins for a browser. Pages redirect to the host of PUBLIC_URL.
 */
export function redirectToPublicHost(publicUrl: string): RequestHandler {
  const { host, hostname, origin } = new URL(publicUrl)
  const localNames = new Set(['127.0.0.1', 'localhost', '[::1]'])
  return (request, response, next) => {
    const requestedHost = request.get('host') ?? host
    const requestedName = requestedHost.replace(/:\d+$/, '')
    const isOtherLocalName =
      localNames.has(requestedName) && localNames.has(hostname) && requestedName !== hostname
    // `*` is no address of a page.
    const isPath = request.originalUrl.startsWith('/')
    if (!isOtherLocalName || request.method !== 'GET' || !isPath) return next()
    // Joined as text: the URL parser takes a path such as //evil.example for another host.
    response.redirect(308, `${origin}${request.originalUrl}`)
  }
}
