import { Fragment, type ReactNode } from 'react'
import { brand } from '#contracts/brand/brand'
import './text-page.css'

interface TextPageProps {
  readonly title: string
  readonly lastUpdated: string
  readonly summary: ReactNode
  readonly sections: readonly {
    /** The anchor. */
    readonly id: string
    readonly title: string
    readonly content: ReactNode
  }[]
}

/** A legal text: a list of contents, and a section per topic. */
export function TextPage({ title, lastUpdated, summary, sections }: TextPageProps) {
  return (
    <article className="text-page">
      <h1>{title}</h1>
      <p className="text-page-date">Last updated: {lastUpdated}</p>
      <p>{summary}</p>
      <nav aria-label="Contents">
        <ol>
          {sections.map((section) => (
            <li key={section.id}>
              <a href={`#${section.id}`}>{section.title}</a>
            </li>
          ))}
        </ol>
      </nav>
      {sections.map((section) => (
        <section key={section.id} aria-labelledby={section.id}>
          <h2 id={section.id}>{section.title}</h2>
          {section.content}
        </section>
      ))}
    </article>
  )
}

/** The text, with the support address as a link. */
export function TextWithAddress({ text }: { text: string }) {
  return text.split(brand.supportEmail).map((part, index) => (
    <Fragment key={part}>
      {index > 0 && <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>}
      {part}
    </Fragment>
  ))
}
