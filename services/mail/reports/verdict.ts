import type { DeliveryReport } from './read-report.ts'

/**
 * What a report means for its mail. `bounced`: it came back, and the address takes no mails.
 * `returned`: it came back for a reason that can end. `waits`: the mail server tries again.
 * `arrived`: the mail was delivered, or left for a place that sends no reports. `reason`: codes,
 * without an address.
 */
export interface Verdict {
  readonly kind: 'bounced' | 'returned' | 'waits' | 'arrived'
  readonly reason: string
}

/**
 * The mails of the product have one recipient. A report about several is of a list behind it: the
 * mail came back if it reached none of them.
 */
export function verdictOf({ recipients }: DeliveryReport): Verdict {
  const failed = recipients.filter(({ action }) => action === 'failed')
  const worst = failed.find(isAboutAddress) ?? failed[0] ?? recipients[0]
  const { status = null, code = null } = worst ?? {}
  const codes = [status, code === null ? null : `SMTP ${code}`].filter((each) => each !== null)
  const reason = codes.join(', ') || 'no status'
  if (recipients.some(({ action }) => ['delivered', 'relayed', 'expanded'].includes(action)))
    return { kind: 'arrived', reason }
  if (worst?.action !== 'failed') return { kind: 'waits', reason }
  return { kind: isAboutAddress(worst) ? 'bounced' : 'returned', reason }
}

/**
 * Whether the address is the reason, for good. Source: RFC 3463. A status 4 is of the moment: the
 * mail server has given up to try. These say nothing of the address: the mailbox is full (x.2.2),
 * the mail is too long (x.2.3, x.3.4), the route failed or the time is over (x.4.x, except that the
 * domain leads nowhere, x.4.4), the sender's address (x.1.7, x.1.8), the protocol (x.5), the
 * content (x.6), and the sender's reputation (x.7). As `MailNotSent.isAddressRefused`.
 */
function isAboutAddress({
  status,
  code,
}: Pick<DeliveryReport['recipients'][number], 'status' | 'code'>): boolean {
  if (status === null) return code !== null && [550, 551, 553].includes(code)
  const [kind, subject = '', detail = ''] = status.split('.')
  if (kind !== '5') return false
  switch (subject) {
    case '0':
      return true
    case '1':
      return !['7', '8'].includes(detail)
    case '2':
      return !['2', '3'].includes(detail)
    case '4':
      return detail === '4'
    default:
      return false
  }
}
