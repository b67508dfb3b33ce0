import { Router, type Request, type Response } from 'express'
import type { Pool } from 'pg'
import { findAttachment, type Attachment } from '../messages/attachment.ts'
import { findMessage, listMessages, type Message } from '../messages/message.ts'
import { searchedAddress } from '../messages/phone-number.ts'
import { renderInbox } from './inbox-page.tsx'
import { sendMailFrame } from './mail-frame.ts'
import { renderNotice } from './notice-page.tsx'
import { sendPage } from './page-headers.ts'

/** `GET /inbox.json?to=` returns the messages, `/inbox` shows them as a page. Newest first. */
export function inboxRoutes(pool: Pool, productUrl: string): Router {
  const router = Router()

  router.get('/inbox.json', async (request, response) => {
    const messages = await listMessages(pool, addressIn(request))
    response.setHeader('cache-control', 'no-store').json(messages)
  })

  router.get('/inbox', async (request, response) => {
    const to = addressIn(request)
    const messages = await listMessages(pool, to)
    const id = queryText(request, 'message')
    const chosen =
      id === null
        ? null
        : (messages.find((message) => message.id === id) ?? (await findMessage(pool, id)))
    const opened = chosen ?? messages[0] ?? null
    const html = renderInbox({
      messages,
      to,
      opened,
      thread: opened?.channel === 'sms' ? await threadOf(pool, opened) : [],
      wasChosen: chosen !== null,
      asText: queryText(request, 'as') === 'text',
      productUrl,
    })
    sendPage(response, 200, html)
  })

  router.get('/inbox/:id/html', async (request: Request<{ id: string }>, response) => {
    const message = await findMessage(pool, request.params.id)
    if (message?.html == null)
      return sendMissing(response, 'Mail not found', 'No mail with HTML has this address.')
    sendMailFrame(response, message.html)
  })

  router.get(
    '/inbox/:id/attachments/:number',
    async ({ params }: Request<{ id: string; number: string }>, response) => {
      const file = await findAttachment(pool, params.id, params.number)
      if (file === null)
        return sendMissing(response, 'File not found', 'No attachment of a mail has this address.')
      sendFile(response, file)
    },
  )

  return router
}

/** Anyone can mail a page with a script: a browser saves every attachment and runs none. */
function sendFile(response: Response, { fileName, contentType, content }: Attachment): void {
  response
    .attachment(fileName)
    .setHeader('cache-control', 'no-store')
    .setHeader('x-content-type-options', 'nosniff')
    .type(contentType === 'application/pdf' ? contentType : 'application/octet-stream')
    .send(content)
}

function sendMissing(response: Response, title: string, text: string): void {
  sendPage(response, 404, renderNotice({ title, text, href: '/inbox', linkText: 'To the inbox' }))
}

async function threadOf(pool: Pool, { to }: Message): Promise<readonly Message[]> {
  return (await listMessages(pool, to)).filter(({ channel }) => channel === 'sms').toReversed()
}

function addressIn(request: Request<object>): string | null {
  const to = queryText(request, 'to')
  return to === null ? null : searchedAddress(to)
}

/** The trimmed value of a query parameter; null if it is empty or repeated. */
function queryText(request: Request<object>, name: string): string | null {
  const value = request.query[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
