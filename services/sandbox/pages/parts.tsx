import { brand } from '#contracts/brand/brand'

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

/** A link back to the product. */
export function BackLink({
  href,
  text = `Back to ${brand.name}`,
}: {
  readonly href: string
  readonly text?: string
}) {
  return (
    <a className="back-link" href={href}>
      <svg
        viewBox="0 0 16 16"
        width="16"
        height="16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.7"
        aria-hidden="true"
      >
        <path d="M13.5 8H2.9M7 3.8 2.8 8 7 12.2" />
      </svg>
      {text}
    </a>
  )
}
