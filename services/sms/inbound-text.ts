import { parse, type ParsedUrlQuery } from 'node:querystring'
import { z } from 'zod'
import { validateRequest } from 'twilio/lib/webhooks/webhooks.js'

/** A text to the product's number. */
export interface InboundText {
  /** Twilio's id. Every delivery of one text has the same one. */
  readonly sid: string
  /** In E.164, or the short code or name of a sender that is no phone. */
  readonly from: string
  readonly body: string
  /** What the service of Twilio that handles opt-outs took the text for, and has answered. */
  readonly handledAs: 'STOP' | 'START' | 'HELP' | null
}

const fields = z.object({
  MessageSid: z.string().min(1),
  From: z.string().min(1),
  Body: z.string().default(''),
  OptOutType: z.enum(['STOP', 'START', 'HELP']).nullable().catch(null),
})

/**
 * Whether Twilio signed the webhook. The signature is an HMAC of the public address and of all
 * fields, so a proxy in front may change the host and the path of the request.
 */
export function isSignedText(
  { authToken, url }: { readonly authToken: string; readonly url: string },
  signature: string | undefined,
  body: Buffer,
): boolean {
  return signature !== undefined && validateRequest(authToken, signature, url, fieldsOf(body))
}

/** Null if a field of a text is missing. */
export function readInboundText(body: Buffer): InboundText | null {
  const read = fields.safeParse(fieldsOf(body))
  if (!read.success) return null
  const { MessageSid, From, Body, OptOutType } = read.data
  return { sid: MessageSid, from: From, body: Body, handledAs: OptOutType }
}

function fieldsOf(body: Buffer): ParsedUrlQuery {
  return parse(body.toString('utf8'), undefined, undefined, { maxKeys: 200 })
}
