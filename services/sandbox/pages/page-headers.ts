import type { Response } from 'express'

/**
 * The policy of our own pages: nothing inline, nothing from elsewhere, in nobody's frame. Browsers
 * apply form-action to where a form's answer redirects as well, so those origins are named.
 */
export function sendPage(
  response: Response,
  status: number,
  html: string,
  formTargets: readonly (string | null)[] = [],
): void {
  const origins = formTargets.flatMap((target) =>
    target !== null && URL.canParse(target) ? [new URL(target).origin] : [],
  )
  response
    .status(status)
    .setHeader('cache-control', 'no-store')
    .setHeader(
      'content-security-policy',
      [
        "default-src 'none'",
        "style-src 'self'",
        "script-src 'self'",
        "font-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "base-uri 'none'",
        `form-action ${["'self'", ...new Set(origins)].join(' ')}`,
        "frame-ancestors 'none'",
      ].join('; '),
    )
    .type('html')
    .send(html)
}
