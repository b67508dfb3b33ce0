import { Link } from 'react-router-dom'
import { brand } from '#contracts/brand/brand'
import './logo.css'

export function LogoMark() {
  return (
    <svg viewBox="0 0 26 26" width="26" height="26" fill="none" aria-hidden="true">
      <path
        d="M13 6.5 5.2 23M13 6.5 20.8 23"
        stroke="currentColor"
        strokeWidth="2.6"
        strokeLinecap="square"
      />
      <path d="M6.2 16.6c4.3 2.5 9.3 2.5 13.6 0" stroke="currentColor" strokeWidth="2" />
      <circle cx="13" cy="4.6" r="3.6" fill="var(--accent)" />
    </svg>
  )
}

/** The logo as a link to the landing page. */
export function Logo() {
  return (
    <Link className="logo" to="/">
      <LogoMark />
      <span>{brand.name}</span>
    </Link>
  )
}
