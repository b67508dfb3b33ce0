/** A clause of the terms. */
interface Clause {
  /** The anchor of the clause. */
  readonly id: string
  readonly title: string
  readonly text: string
}

/**
 * The terms of the sign-up form and of /terms. A change of the text needs a new version: it is
 * recorded with each acceptance. Source of the topics: specification, section 5.
 */
export const terms: {
  readonly version: string
  readonly lastUpdated: string
  readonly clauses: readonly Clause[]
} = {
  version: '2025-05-16',
  lastUpdated: 'May 16, 2025',
  clauses: [
    {
      id: 'control',
      title: 'Control and responsibility',
      text: 'You decide who is reminded, when, and with which words, and you are responsible for the accounts, amounts and addresses that you enter.',
    },
    {
      id: 'warranties',
      title: 'No warranties',
      text: 'The service is provided as it is and as it is available. We do not promise that a reminder is delivered, read or answered, or that an invoice is paid.',
    },
    {
      id: 'indemnification',
      title: 'Indemnification',
      text: 'You answer for claims that arise from the messages you send and from your dealings with your customers, and you keep us free of their cost.',
    },
    {
      id: 'liability',
      title: 'No provider liability',
      text: 'We are not liable for amounts that are not collected, for lost profit, or for what your payment gateway does or fails to do.',
    },
    {
      id: 'compliance',
      title: 'Compliance responsibility',
      text: 'You follow the laws on collections, e-mail, text messages and privacy that apply to you and to those you write to.',
    },
    {
      id: 'access',
      title: 'Access security',
      text: 'You keep access to your e-mail and to this account secure. What is done with a code sent to your address counts as done by you.',
    },
  ],
}
