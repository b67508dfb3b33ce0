import type { ReactNode } from 'react'
import { renderPage } from './page.tsx'
import { BackLink } from './parts.tsx'

/** A page with one message and one link. */
export function renderNotice({
  title,
  text,
  href,
  linkText,
}: {
  readonly title: string
  readonly text: ReactNode
  readonly href: string
  readonly linkText?: string
}): string {
  return renderPage({
    title: `${title} (sandbox)`,
    kind: 'notice',
    children: (
      <main className="notice">
        <h1>{title}</h1>
        <p>{text}</p>
        <BackLink href={href} {...(linkText === undefined ? {} : { text: linkText })} />
      </main>
    ),
  })
}
