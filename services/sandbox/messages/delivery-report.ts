import MimeNode from 'nodemailer/lib/mime-node'

/** A mail that the mail server took and cannot deliver. */
export interface ReturnedMail {
  readonly id: string
  readonly to: string
  /** The envelope sender: where the report goes. */
  readonly returnPath: string
  /** Null: the sender gave none. */
  readonly envelopeId: string | null
  /** The headers of the mail, a line each. */
  readonly headers: string
}

const reportingServer = 'mx.sandbox.test'

/** A delivery status notification that the mailbox does not exist (RFC 3464), as a whole mail. */
export async function deliveryReport(
  { id, to, returnPath, envelopeId, headers }: ReturnedMail,
  now: Date,
): Promise<Buffer> {
  const report = new MimeNode('multipart/report; report-type=delivery-status')
  report.setHeader({
    from: `Mail Delivery System <mailer-daemon@${reportingServer}>`,
    to: returnPath,
    subject: 'Undelivered Mail Returned to Sender',
    date: now.toUTCString(),
    'message-id': `<${id}.report@${reportingServer}>`,
    'auto-submitted': 'auto-replied',
  })
  report
    .createChild('text/plain; charset=utf-8')
    .setContent(`The mail to ${to} could not be delivered: there is no such mailbox.\n`)
  report
    .createChild('message/delivery-status')
    .setContent(
      [
        `Reporting-MTA: dns; ${reportingServer}`,
        ...(envelopeId === null ? [] : [`Original-Envelope-Id: ${envelopeId}`]),
        `Arrival-Date: ${now.toUTCString()}`,
        '',
        `Original-Recipient: rfc822; ${to}`,
        `Final-Recipient: rfc822; ${to}`,
        'Action: failed',
        'Status: 5.1.1',
        `Diagnostic-Code: smtp; 550 5.1.1 <${to}>: there is no such mailbox`,
        '',
      ].join('\r\n'),
    )
  report.createChild('text/rfc822-headers').setContent(headers)
  return report.build()
}
