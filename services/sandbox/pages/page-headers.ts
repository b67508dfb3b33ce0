import type { Response } from 'express'

/**
 * Sends a page of the sandbox. Its policy allows no inline code, no other origin and no frame
 * around it. Browsers also apply `form-action` to redirects after a form, so `formTargets` are
 * allowed.
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
