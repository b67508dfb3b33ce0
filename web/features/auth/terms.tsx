import type { ReactNode } from 'react'
import { terms } from '#contracts/brand/terms'
import type { PublicPath } from '#contracts/pages'
import './terms.css'

interface TermsProps {
  readonly accepted: boolean
  readonly onAccept: (accepted: boolean) => void
}

export function Terms({ accepted, onAccept }: TermsProps) {
  return (
    <div className="terms">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users must be able to scroll the terms */}
      <div className="terms-text" tabIndex={0} role="region" aria-label="Terms">
        {terms.clauses.map(({ id, title, text }) => (
          <p key={id}>
            <b>{title}.</b> {text}
          </p>
        ))}
        <p>
          The <PageLink to="/privacy-policy">Privacy Policy</PageLink> says which data we collect
          and how you can have it deleted.
        </p>
      </div>
      <p className="terms-page">
        <PageLink to="/terms">Read the terms on their own page</PageLink>
      </p>
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

/** In a new tab, so that the form keeps what was typed. */
function PageLink({ to, children }: { to: PublicPath; children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noopener">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}
