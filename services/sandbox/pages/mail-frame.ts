import type { Response } from 'express'

/** Sends the HTML of a mail as the document of a frame of a page of the sandbox. */
export function sendMailFrame(response: Response, html: string): void {
  response
    .setHeader('cache-control', 'no-store')
    // The policy allows a mail its own styles and the frame of the page, and nothing else.
    .setHeader('content-security-policy', mailPolicy)
    .removeHeader('x-frame-options')
  response.type('html').send(withLinksOutside(html))
}

/** Links open in a new tab, not inside the frame. */
function withLinksOutside(html: string): string {
  const base = '<base target="_blank">'
  return /<head[\s>]/i.test(html)
    ? html.replace(/<head(\s[^>]*)?>/i, (head) => head + base)
    : `<!doctype html>${base}${html}`
}

const mailPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
].join('; ')
