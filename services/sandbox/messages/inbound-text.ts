import type { Pool } from 'pg'
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js'
import type { Store } from '../store/store.ts'
import { findMessage, saveMessage } from './message.ts'
import { twilioAnswer } from './opt-out.ts'
import { ProductRefused } from './product-refused.ts'

/** Where the product receives texts, and what signs them. */
export interface TextWebhook {
  /** The address of this machine to which the webhook goes. */
  readonly url: string
  /** The address that the signature covers: the one of PUBLIC_URL. */
  readonly signedUrl: string
  readonly authToken: string
}

const path = '/api/twilio/texts'
const timeoutMs = 10_000

/** Null if the sandbox sends no webhooks. */
export function textWebhookOf(
  webhook: { readonly url: string; readonly secret: string } | null,
  productUrl: string,
): TextWebhook | null {
  return webhook === null
    ? null
    : {
        url: new URL(path, webhook.url).href,
        signedUrl: `${new URL(productUrl).origin}${path}`,
        authToken: webhook.secret,
      }
}

export interface WrittenText {
  /** The phone that writes, in E.164. */
  readonly from: string
  /** The product's number. */
  readonly to: string
  readonly body: string
}

/**
 * Saves a text that a tester writes, sends it to the product as Twilio does, and saves the answers.
 * Returns the id of the last message.
 * @throws ProductRefused if the product does not take the text
 */
export async function receiveText(
  { store, pool, webhook }: { store: Store; pool: Pool; webhook: TextWebhook | null },
  { from, to, body }: WrittenText,
): Promise<string> {
  const save = async (message: WrittenText, isInbound: boolean): Promise<string> => {
    const [id = ''] = await saveMessage(store, {
      channel: 'sms',
      recipients: [message.to],
      from: message.from,
      subject: null,
      text: message.body,
      html: null,
      isInbound,
    })
    return id
  }
  const sid = await save({ from, to, body }, true)
  const stored = await findMessage(pool, sid)
  const ofTwilio = twilioAnswer(body)
  const ofProduct =
    webhook === null ? [] : await deliver(webhook, { sid, from, to, body: stored?.text ?? body })
  let last = sid
  for (const answer of [...(ofTwilio === null ? [] : [ofTwilio]), ...ofProduct])
    last = await save({ from: to, to: from, body: answer }, false)
  return last
}

async function deliver(
  { url, signedUrl, authToken }: TextWebhook,
  { sid, from, to, body }: WrittenText & { readonly sid: string },
): Promise<readonly string[]> {
  const fields = {
    AccountSid: `AC${'0'.repeat(32)}`,
    ApiVersion: '2010-04-01',
    Body: body,
    From: from,
    MessageSid: sid,
    NumMedia: '0',
    NumSegments: '1',
    SmsMessageSid: sid,
    SmsSid: sid,
    SmsStatus: 'received',
    To: to,
  }
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'X-Twilio-Signature': getExpectedTwilioSignature(authToken, signedUrl, fields),
    },
    body: new URLSearchParams(fields),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new ProductRefused(
      `The text was saved, but the product did not answer at ${url}. Start the product and send the text again.`,
      { cause: error },
    )
  })
  const text = await response.text()
  if (!response.ok)
    throw new ProductRefused(
      `The text was saved, but the product refused it with status ${response.status}: ${text.slice(0, 300)}`,
    )
  return [...text.matchAll(/<Message>([^<]*)<\/Message>/g)].map(([, answer = '']) => plain(answer))
}

/** The entities that TwiML of the product has. */
function plain(markup: string): string {
  return markup
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll(/&#(x[0-9a-f]+|\d+);/gi, (_whole, code: string) =>
      String.fromCodePoint(
        code.startsWith('x') ? Number.parseInt(code.slice(1), 16) : Number(code),
      ),
    )
    .replaceAll('&amp;', '&')
}
