import type { BrandResponse } from '#contracts/receivables/brand'
import type {
  PreviewResponse,
  ShownTemplate,
  TemplatesResponse,
} from '#contracts/receivables/templates'

/* Templates, brand and preview of the merchant of the drawn screens. */

const access = { mayAct: true, reason: null, sentence: null } as const

const template = (
  tone: ShownTemplate['tone'],
  channel: ShownTemplate['channel'],
  over: Partial<ShownTemplate> = {},
): ShownTemplate => {
  const words = {
    subject: channel === 'mail' ? '{invoices}: {amount}' : null,
    body: channel === 'mail' ? 'Hello {client},\n\nopen: {amount}.' : 'Open: {amount}. {link}',
  }
  return { tone, channel, ...words, version: 0, changedAt: null, original: words, ...over }
}

export function someTemplates(
  over: Partial<TemplatesResponse> = {},
  firmMail: Partial<ShownTemplate> = {},
): TemplatesResponse {
  return {
    access,
    items: [
      template('friendly', 'mail'),
      template('friendly', 'text'),
      template('firm', 'mail', firmMail),
      template('firm', 'text'),
      template('final', 'mail'),
      template('final', 'text'),
    ],
    variables: [{ name: 'client', means: "the client's name" }],
    ...over,
  }
}

export const aPreview: PreviewResponse = {
  isExample: false,
  clientName: 'Grace Whitaker',
  mail: {
    fromName: 'Alder Dental',
    subject: 'Invoice AD-1187: $840.00',
    topic: 'Reminder',
    figures: [{ label: 'Open on invoice AD-1187', value: '$840.00' }],
    words: ['Hello Grace Whitaker,', 'open: $840.00.'],
    action: 'See the invoice',
    line: {
      start: { label: 'Due', date: 'Nov 13, 2026' },
      end: { label: 'Today', date: '12 days later' },
      now: 1,
    },
    facts: [
      { term: 'Invoice', value: 'AD-1187', isSum: false },
      { term: 'Open', value: '$840.00', isSum: true },
    ],
    foot: {
      reply: 'Reply to this e-mail to reach Alder Dental.',
      address: 'Alder Dental, 1140 Alder Street, Eugene, OR 97401',
      why: 'You get this because Alder Dental issued this invoice to you.',
      sentFor: 'Sent for Alder Dental by Agile Receivables.',
      stop: 'Stop reminders by e-mail',
    },
  },
  text: {
    body: 'Alder Dental: Open: $840.00. https://agilereceivables.example/pay/k7 Reply STOP to end texts.',
    units: 177,
    mostUnits: 306,
    segments: 2,
    alphabet: 'gsm',
    problem: null,
  },
}

export function aBrand(over: Partial<BrandResponse> = {}): BrandResponse {
  return {
    access,
    version: 3,
    color: '#3B4A9B',
    logo: { url: '/api/receivables/logos/a', width: 300, height: 100 },
    senderName: null,
    senderNameState: 'company',
    replyTo: null,
    postalAddress: null,
    defaults: {
      senderName: 'Alder Dental',
      replyTo: 'mara@alderdental.example',
      postalAddress: ['1140 Alder Street', 'Eugene, OR 97401'],
    },
    ...over,
  }
}
