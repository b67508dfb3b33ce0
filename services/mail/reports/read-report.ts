import PostalMime, { type Email } from 'postal-mime'

/** What one recipient's part of a report says (RFC 3464, section 2.3). */
interface RecipientStatus {
  readonly action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded'
  /** RFC 3463, such as 5.1.1. Null: missing or no status. */
  readonly status: string | null
  /** The code of the SMTP answer, such as 550. Null: unknown. */
  readonly code: number | null
}

/** A delivery status notification. It has no address of a person. */
export interface DeliveryReport {
  readonly recipients: readonly RecipientStatus[]
  /** Original-Envelope-Id: the ENVID that the mail had. */
  readonly envelopeId: string | null
  /** The headers of the mail that came back, by name in small letters. */
  readonly returned: ReadonlyMap<string, string>
  /** The addresses that the report went to. */
  readonly to: readonly string[]
}

/** A report is about one mail with one recipient, perhaps a list. */
const maxBlocks = 50
/** Each line takes a tenth of a millisecond. A mail of 256 KB has 3,500 of a usual length. */
const maxLines = 6_000
const limits = { maxNestingDepth: 10, maxHeadersSize: 64 * 1024, maxRfc822NestingDepth: 0 }

/**
 * Reads a mail as a delivery status notification: multipart/report with a part
 * message/delivery-status (RFC 3462, 3464). Null: the mail is none, such as an automatic answer.
 * Bytes that are no mail give null, too.
 */
export async function readReport(raw: Buffer): Promise<DeliveryReport | null> {
  if (linesOf(raw) > maxLines) return null
  const mail = await parsed(raw)
  if (mail === null || !isReport(mail)) return null
  const status = textOf(mail, ['message/delivery-status', 'message/global-delivery-status'])
  if (status === null) return null
  const [ofMessage = new Map<string, string>(), ...ofRecipients] = await blocksOf(status)
  const recipients = ofRecipients.flatMap(recipientOf)
  if (recipients.length === 0) return null
  const headers = textOf(mail, [
    'message/rfc822',
    'text/rfc822-headers',
    'message/global',
    'message/global-headers',
  ])
  return {
    recipients,
    envelopeId: ofMessage.get('original-envelope-id') ?? null,
    returned: headers === null ? new Map() : await fieldsOf(headers),
    to: addressesOf(mail),
  }
}

function linesOf(raw: Buffer): number {
  let lines = 0
  for (const byte of raw) if (byte === 0x0a) lines += 1
  return lines
}

async function parsed(raw: Buffer | string): Promise<Email | null> {
  try {
    return await PostalMime.parse(raw, {
      ...limits,
      forceRfc822Attachments: true,
      attachmentEncoding: 'utf8',
    })
  } catch {
    // Beyond the limits.
    return null
  }
}

/** A report that a person forwards is multipart/mixed. */
function isReport({ headers }: Email): boolean {
  const type = headers.find(({ key }) => key === 'content-type')?.value ?? ''
  return /^multipart\/report\b/i.test(type)
}

function textOf({ attachments }: Email, types: readonly string[]): string | null {
  const content = attachments.find(({ mimeType }) => types.includes(mimeType))?.content
  return typeof content === 'string' ? content : null
}

/** The blocks of fields, which empty lines separate: of the message, then of each recipient. */
async function blocksOf(status: string): Promise<readonly ReadonlyMap<string, string>[]> {
  const blocks = status
    .split(/\r?\n[ \t]*\r?\n/)
    .filter((block) => block.trim() !== '')
    .slice(0, maxBlocks)
  return Promise.all(blocks.map(fieldsOf))
}

/** Fields have the form of a mail's headers, also if they continue on the next line. */
async function fieldsOf(text: string): Promise<ReadonlyMap<string, string>> {
  const [fieldsOnly = ''] = text.trimStart().split(/\r?\n[ \t]*\r?\n/, 1)
  const mail = await parsed(`${fieldsOnly}\r\n`)
  // The first of equal names counts, as mail servers write theirs above those of a sender.
  const fields = (mail?.headers ?? []).toReversed().map(({ key, value }) => [key, value] as const)
  return new Map(fields)
}

const actions = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'] as const

function recipientOf(fields: ReadonlyMap<string, string>): readonly RecipientStatus[] {
  // RFC 3464 allows a comment after a field.
  const word = /^[a-z]+/.exec((fields.get('action') ?? '').trim().toLowerCase())?.[0]
  const action = actions.find((each) => each === word)
  if (action === undefined || !fields.has('final-recipient')) return []
  const status = /^[245]\.\d{1,3}\.\d{1,3}(?!\S)/.exec((fields.get('status') ?? '').trim())?.[0]
  const code = /^smtp\s*;\s*([245]\d\d)\b/i.exec((fields.get('diagnostic-code') ?? '').trim())?.[1]
  return [{ action, status: status ?? null, code: code === undefined ? null : Number(code) }]
}

function addressesOf({ headers, to, cc, deliveredTo }: Email): readonly string[] {
  const groups = [...(to ?? []), ...(cc ?? [])]
  return [
    ...groups.flatMap((each) => (each.group === undefined ? [each.address ?? ''] : [])),
    ...(deliveredTo === undefined ? [] : [deliveredTo]),
    ...headers.filter(({ key }) => key === 'x-original-to').map(({ value }) => value),
  ]
}
