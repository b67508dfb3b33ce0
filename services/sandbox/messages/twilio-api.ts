import { setTimeout as sleep } from 'node:timers/promises'
import { Router, urlencoded, type Request } from 'express'
import { z } from 'zod'
import type { Pool } from 'pg'
import type { Store } from '../store/store.ts'
import { listMessages, saveMessage } from './message.ts'
import { isOptedOut } from './opt-out.ts'
import { optedOut, slowMs, textFault } from './special-recipients.ts'

const e164 = /^\+[1-9]\d{6,14}$/
const text = z.strictObject({
  To: z
    .string({ error: "A 'To' phone number is required." })
    .regex(e164, "The 'To' number is not a valid phone number."),
  From: z.string({ error: "A 'From' phone number is required." }).min(1),
  Body: z
    .string({ error: 'Message body is required.' })
    .min(1, 'Message body is required.')
    .max(1_600, 'The message body exceeds the 1600 character limit.'),
})

/**
 * The Twilio calls that the product uses: `POST` and `GET` of
 * `/2010-04-01/Accounts/{sid}/Messages.json`. Text messages go to the inbox.
 */
export function twilioApi(store: Store, pool: Pool): Router {
  const router = Router()
  router.post(
    '/2010-04-01/Accounts/:sid/Messages.json',
    urlencoded({ extended: false, limit: '64kb' }),
    async (request: Request<{ sid: string }>, response) => {
      const { sid } = request.params
      if (accountOf(request.headers.authorization) !== sid) {
        response.status(401).json(notSignedIn)
        return
      }
      const parsed = text.safeParse(request.body ?? {})
      if (!parsed.success) {
        response.status(400).json({
          code: 21_604,
          message: parsed.error.issues[0]?.message ?? 'Invalid.',
          more_info: 'https://www.twilio.com/docs/errors/21604',
          status: 400,
        })
        return
      }
      const { To: to, From: from, Body: body } = parsed.data
      const fault = (await isOptedOut(pool, to)) ? optedOut : textFault(to)
      if (fault === 'slow') await sleep(slowMs)
      else if (fault !== null) {
        const { status, code, message } = fault
        const more_info = `https://www.twilio.com/docs/errors/${code}`
        response.status(status).json({ code, message, more_info, status })
        return
      }
      const [id] = await saveMessage(store, {
        channel: 'sms',
        recipients: [to],
        from,
        subject: null,
        text: body,
        html: null,
      })
      response.status(201).json(messageOf(sid, { id: id ?? '', to, from, body, at: new Date() }))
    },
  )
  router.get(
    '/2010-04-01/Accounts/:sid/Messages.json',
    async (request: Request<{ sid: string }>, response) => {
      const { sid } = request.params
      if (accountOf(request.headers.authorization) !== sid) {
        response.status(401).json(notSignedIn)
        return
      }
      const { To: to } = search.parse(request.query)
      const uri = `/2010-04-01/Accounts/${sid}/Messages.json`
      const listed = (await listMessages(pool, to)).filter(
        ({ channel, isInbound }) => channel === 'sms' && !isInbound,
      )
      response.json({
        messages: listed.map(({ id, from, to: recipient, text: body, sentAt }) =>
          messageOf(sid, { id, from, to: recipient, body: body ?? '', at: new Date(sentAt) }),
        ),
        start: 0,
        end: Math.max(0, listed.length - 1),
        page: 0,
        page_size: listed.length,
        first_page_uri: uri,
        next_page_uri: null,
        previous_page_uri: null,
        uri,
      })
    },
  )
  return router
}

const search = z.object({ To: z.string() })

const notSignedIn = {
  code: 20_003,
  message: 'Authenticate',
  more_info: 'https://www.twilio.com/docs/errors/20003',
  status: 401,
}

/** A text as Twilio returns it. */
function messageOf(
  sid: string,
  {
    id,
    to,
    from,
    body,
    at,
  }: {
    readonly id: string
    readonly to: string
    readonly from: string
    readonly body: string
    readonly at: Date
  },
) {
  return {
    account_sid: sid,
    api_version: '2010-04-01',
    body,
    date_created: at.toUTCString(),
    date_sent: null,
    date_updated: at.toUTCString(),
    direction: 'outbound-api',
    error_code: null,
    error_message: null,
    from,
    messaging_service_sid: null,
    num_media: '0',
    num_segments: '1',
    price: null,
    price_unit: 'USD',
    sid: id,
    status: 'queued',
    subresource_uris: {},
    to,
    uri: `/2010-04-01/Accounts/${sid}/Messages/${id}.json`,
  }
}

/** The user name of basic authentication: Twilio's account sid. Any token is accepted. */
function accountOf(authorization: string | undefined): string | undefined {
  const [, credentials] = /^basic (\S+)$/i.exec(authorization ?? '') ?? []
  return credentials === undefined
    ? undefined
    : Buffer.from(credentials, 'base64').toString().split(':')[0]
}
