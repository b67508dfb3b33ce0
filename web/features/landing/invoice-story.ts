import type { MarkKind } from '../../ui/mark.tsx'

/** A step of the invoice whose line runs down the page. */
export interface Stop {
  readonly mark: MarkKind
  /** Days since the invoice was sent. */
  readonly day: number
  readonly text: string
}

/** The page follows one invoice from sent to paid: one step per section. */
export const story = {
  sent: { mark: 'sent', day: 0, text: 'Invoice sent' },
  email: { mark: 'email', day: 3, text: 'E-mail reminder' },
  text: { mark: 'text', day: 7, text: 'Text reminder' },
  opened: { mark: 'opened', day: 9, text: 'Invoice opened' },
  secondEmail: { mark: 'email', day: 10, text: 'Second e-mail' },
  secondText: { mark: 'text', day: 12, text: 'Second text' },
  portal: { mark: 'opened', day: 13, text: 'Client portal opened' },
  paid: { mark: 'paid', day: 14, text: 'Paid' },
} as const satisfies Record<string, Stop>
