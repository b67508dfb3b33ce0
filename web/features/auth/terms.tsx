import './terms.css'

/** The terms, one clause per paragraph. */
const clauses = [
  [
    'Control and responsibility',
    'You decide who is reminded, when, and with which words, and you are responsible for the accounts, amounts and addresses that you enter.',
  ],
  [
    'No warranties',
    'The service is provided as it is and as it is available. We do not promise that a reminder is delivered, read or answered, or that an invoice is paid.',
  ],
  [
    'Indemnification',
    'You answer for claims that arise from the messages you send and from your dealings with your customers, and you keep us free of their cost.',
  ],
  [
    'No provider liability',
    'We are not liable for amounts that are not collected, for lost profit, or for what your payment gateway does or fails to do.',
  ],
  [
    'Compliance responsibility',
    'You follow the laws on collections, e-mail, text messages and privacy that apply to you and to those you write to.',
  ],
  [
    'Access security',
    'You keep access to your e-mail and to this account secure. What is done with a code sent to your address counts as done by you.',
  ],
] as const

interface TermsProps {
  readonly accepted: boolean
  readonly onAccept: (accepted: boolean) => void
}

export function Terms({ accepted, onAccept }: TermsProps) {
  return (
    <div className="terms">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users must be able to scroll the terms */}
      <div className="terms-text" tabIndex={0} role="region" aria-label="Terms">
        {clauses.map(([title, text]) => (
          <p key={title}>
            <b>{title}.</b> {text}
          </p>
        ))}
        <p>
          The{' '}
          <a href="/privacy-policy" target="_blank" rel="noopener">
            Privacy Policy
            <span className="sr-only"> (opens in a new tab)</span>
          </a>{' '}
          says which data we collect and how you can have it deleted.
        </p>
      </div>
      <label>
        <input
          type="checkbox"
          required
          checked={accepted}
          onChange={(event) => onAccept(event.target.checked)}
        />
        <span>I acknowledge that I have read, understood, and agree to these terms.</span>
      </label>
    </div>
  )
}
