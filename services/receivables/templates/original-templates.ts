import type { Channel, TemplateTone, Tone } from '#contracts/events/message-parts'

/** The words of a message. `subject`: of mails only. */
export interface Template {
  readonly subject: string | null
  readonly body: string
}

/** Of an e-mail: its layout adds figure, table, button, address and the way to stop. */
export interface MailTemplate extends Template {
  readonly subject: string
}

export interface Templates extends Readonly<
  Record<TemplateTone, { readonly mail: MailTemplate; readonly text: Template }>
> {}

export const tones = ['friendly', 'firm', 'final'] as const satisfies readonly Tone[]
/** The messages that have words, in the order of the page. */
export const templateTones = [...tones, 'thanks'] as const satisfies readonly TemplateTone[]
export const channels = ['mail', 'text'] as const satisfies readonly Channel[]

/**
 * What is sent until the merchant writes something else. Each holds before the due date, on it and
 * after it, because the merchant chooses the days. The final one is never the first message about
 * an invoice. None threatens: a merchant who wants to announce a step writes it.
 */
export const originalTemplates: Templates = {
  friendly: {
    mail: {
      subject: '{invoices}: {amount}, {days late}',
      body: `Hello {client},

{invoices} {is} {days late}. Open: {amount}.

If you have paid already, you need not do anything. If something about it is not right, reply to this e-mail and tell us.`,
    },
    text: {
      subject: null,
      body: '{invoices} {is} {days late}. Open: {amount}. See it here: {link}',
    },
  },
  firm: {
    mail: {
      subject: '{invoices} {is} {days late}: {amount}',
      body: `Hello {client},

{invoices} {is} {days late}. Still open: {amount}, due on {due date}.

Please pay this week. If you need more time, reply with the day on which you will pay.`,
    },
    text: {
      subject: null,
      body: '{client}, {invoices} {is} {days late}. Still open: {amount}. Please pay this week: {link}',
    },
  },
  final: {
    mail: {
      subject: '{amount} still open: {invoices}, {days late}',
      body: `Hello {client},

We have written to you before about {invoices}, now {days late}. Still open: {amount}, due on {due date}.

Please pay within seven days, or reply with the day on which you will pay. If you disagree with an invoice, tell us which one and why, and we will look into it.`,
    },
    text: {
      subject: null,
      body: '{client}, we have written before about {invoices}, now {days late}. Still open: {amount}. Please pay within seven days: {link}',
    },
  },
  thanks: {
    mail: {
      subject: 'Thank you: {invoices} {is} paid',
      body: `Hello {client},

Thank you for your payment of {amount}. {invoices} {is} paid in full.`,
    },
    text: {
      subject: null,
      body: 'Thank you, {client}. Your payment of {amount} arrived: {invoices} {is} paid. See it here: {link}',
    },
  },
}
