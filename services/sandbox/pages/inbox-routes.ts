import { Router, type Request } from 'express'
import type { Pool } from 'pg'
import { findMessage, listMessages } from '../messages/message.ts'
import { renderInbox } from './inbox-page.tsx'
import { renderNotice } from './notice-page.tsx'
import { sendPage } from './page-headers.ts'

/** `GET /inbox.json?to=`, and the same for eyes at `/inbox`. Newest first. */
export function inboxRoutes(pool: Pool, productUrl: string): Router {
  const router = Router()

  router.get('/inbox.json', async (request, response) => {
    const messages = await listMessages(pool, asked(request, 'to'))
    response.setHeader('cache-control', 'no-store').json(messages)
  })

  router.get('/inbox', async (request, response) => {
    const to = asked(request, 'to')
    const messages = await listMessages(pool, to)
    const id = asked(request, 'message')
    const chosen =
      id === null
        ? null
        : (messages.find((message) => message.id === id) ?? (await findMessage(pool, id)))
    const html = renderInbox({
      messages,
      to,
      opened: chosen ?? messages[0] ?? null,
      wasChosen: chosen !== null,
      asText: asked(request, 'as') === 'text',
      productUrl,
    })
    sendPage(response, 200, html)
  })

  router.get('/inbox/:id/html', async (request: Request<{ id: string }>, response) => {
    const message = await findMessage(pool, request.params.id)
    if (message?.html == null) {
      sendPage(
        response,
        404,
        renderNotice({
          title: 'No such mail',
          text: 'It has no HTML, or the address is wrong.',
          href: '/inbox',
          linkText: 'To the inbox',
        }),
      )
      return
    }
    response
      .setHeader('cache-control', 'no-store')
      // What a mail may do: have its own styles, and be shown in our inbox. Nothing else.
      .setHeader('content-security-policy', mailPolicy)
      .removeHeader('x-frame-options')
    response.type('html').send(withLinksOutside(message.html))
  })

  return router
}

/** Links open beside the inbox, not inside the frame. */
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

/** A query parameter that is one non-empty text, else null. */
function asked(request: Request<object>, name: string): string | null {
  const value = request.query[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
