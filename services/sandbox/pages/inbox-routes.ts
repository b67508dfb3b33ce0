import { Router, urlencoded, type Request, type Response } from 'express'
import type { Pool } from 'pg'
import { z } from 'zod'
import { findAttachment, type Attachment } from '../messages/attachment.ts'
import { bounce, type ReportWebhook } from '../messages/bounces.ts'
import { receiveText, type TextWebhook } from '../messages/inbound-text.ts'
import { ProductRefused } from '../messages/product-refused.ts'
import { findMessage, listMessages, phoneOf, type Message } from '../messages/message.ts'
import { searchedAddress } from '../messages/phone-number.ts'
import type { Store } from '../store/store.ts'
import { renderInbox } from './inbox-page.tsx'
import { sendMailFrame } from './mail-frame.ts'
import { renderNotice } from './notice-page.tsx'
import { sendPage } from './page-headers.ts'

export interface InboxParts {
  readonly store: Store
  readonly pool: Pool
  readonly productUrl: string
  /** Null: texts that a tester writes reach no product. */
  readonly textWebhook: TextWebhook | null
  /** Null: no mail comes back to a product. */
  readonly reportWebhook: ReportWebhook | null
}

const writtenText = z.object({
  from: z.string().regex(/^\+[1-9]\d{6,14}$/),
  to: z.string().min(1).max(20),
  body: z.string().trim().min(1).max(1_600),
})

/** `GET /inbox.json?to=` returns the messages, `/inbox` shows them as a page. Newest first. */
export function inboxRoutes({
  store,
  pool,
  productUrl,
  textWebhook,
  reportWebhook,
}: InboxParts): Router {
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

  router.post(
    '/inbox/texts',
    urlencoded({ extended: false, limit: '16kb' }),
    async (request: Request, response) => {
      const written = writtenText.safeParse(request.body ?? {})
      const refuse = (status: number, title: string, text: string) =>
        sendPage(
          response,
          status,
          renderNotice({ title, text, href: '/inbox', linkText: 'To the inbox' }),
        )
      if (!written.success)
        return refuse(400, 'Text not sent', 'A text has 1 to 1,600 characters and a number.')
      try {
        const id = await receiveText({ store, pool, webhook: textWebhook }, written.data)
        response.redirect(303, `/inbox?${new URLSearchParams({ message: id }).toString()}`)
      } catch (error) {
        if (!(error instanceof ProductRefused)) throw error
        refuse(502, 'The product did not take the text', error.message)
      }
    },
  )

  router.post(
    '/inbox/:id/bounce',
    async ({ params: { id } }: Request<{ id: string }>, response) => {
      try {
        await bounce({ pool, webhook: reportWebhook }, id)
        response.redirect(303, `/inbox?${new URLSearchParams({ message: id }).toString()}`)
      } catch (error) {
        if (!(error instanceof ProductRefused)) throw error
        const notice = { text: error.message, href: '/inbox', linkText: 'To the inbox' }
        sendPage(response, 502, renderNotice({ title: 'The mail did not come back', ...notice }))
      }
    },
  )

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

async function threadOf(pool: Pool, opened: Message): Promise<readonly Message[]> {
  return (await listMessages(pool, phoneOf(opened)))
    .filter(({ channel }) => channel === 'sms')
    .toReversed()
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
