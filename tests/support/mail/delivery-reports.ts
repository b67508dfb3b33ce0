/* Delivery status notifications as mail servers write them (RFC 3464). */

interface ReportParts {
  /** The address that the report goes to. */
  readonly to: string
  /** The recipient of the mail that came back. */
  readonly recipient?: string
  readonly action?: string
  readonly status?: string
  /** The field Diagnostic-Code. */
  readonly diagnostic?: string | null
  readonly envelopeId?: string | null
  /** The headers of the mail that came back, without a last empty line. Null: none. */
  readonly returned?: string | null
  /** More blocks of recipients. */
  readonly others?: readonly string[]
}

/** As Postfix writes it, with returned headers. */
export function postfixReport({
  to,
  recipient = 'dana@example.org',
  action = 'failed',
  status = '5.1.1',
  diagnostic = `smtp; 550 5.1.1 <${recipient}>:\r\n    Recipient address rejected: User unknown`,
  envelopeId = null,
  returned = 'Message-ID: <one@example.com>\r\nSubject: Invoice AD-1187',
  others = [],
}: ReportParts): string {
  const lines = [
    'Return-Path: <>',
    'Received: by mx.example.net (Postfix) id 4F1; Fri, 27 Nov 2026 10:00:00 +0000 (UTC)',
    'Date: Fri, 27 Nov 2026 10:00:00 +0000 (UTC)',
    'From: MAILER-DAEMON@mx.example.net (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    `To: ${to}`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status;',
    '\tboundary="4F1.1/mx.example.net"',
    'Message-Id: <report@mx.example.net>',
    '',
    'This is a MIME-encapsulated message.',
    '',
    '--4F1.1/mx.example.net',
    'Content-Description: Notification',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    "I'm sorry to have to inform you that your message could not",
    'be delivered to one or more recipients.',
    '',
    '--4F1.1/mx.example.net',
    'Content-Description: Delivery report',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.net',
    ...(envelopeId === null ? [] : [`Original-Envelope-Id: ${envelopeId}`]),
    'Arrival-Date: Fri, 27 Nov 2026 09:59:00 +0000 (UTC)',
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    `Original-Recipient: rfc822;${recipient}`,
    `Action: ${action}`,
    `Status: ${status}`,
    'Remote-MTA: dns; mx.example.org',
    ...(diagnostic === null ? [] : [`Diagnostic-Code: ${diagnostic}`]),
    ...others.flatMap((block) => ['', ...block.split('\n')]),
    '',
    ...(returned === null
      ? []
      : [
          '--4F1.1/mx.example.net',
          'Content-Description: Undelivered Message Headers',
          'Content-Type: text/rfc822-headers',
          '',
          returned,
          '',
        ]),
    '--4F1.1/mx.example.net--',
    '',
  ]
  return lines.join('\r\n')
}

/** An automatic answer of a person who is away. */
export function awayAnswer(to: string): string {
  return [
    'From: Dana <dana@example.org>',
    `To: ${to}`,
    'Subject: Out of office',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'I am away. Your message failed to reach me: 5.1.1.',
    '',
  ].join('\r\n')
}
