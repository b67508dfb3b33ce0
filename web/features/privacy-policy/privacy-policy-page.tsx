import { Fragment } from 'react'
import { brand } from '#contracts/brand/brand'
import { privacyPolicy, type PolicyTopic } from '#contracts/brand/privacy-policy'
import { siteContent } from '#contracts/brand/site-content'
import { usePageTitle } from '../../lib/use-page-title.ts'
import './privacy-policy-page.css'

const { title } = siteContent.pages['/privacy-policy']

export function PrivacyPolicyPage() {
  usePageTitle(title)
  return (
    <article className="policy">
      <h1>{title}</h1>
      <p className="policy-date">Last updated: {privacyPolicy.lastUpdated}</p>
      <p>{privacyPolicy.summary}</p>
      <nav aria-label="Contents">
        <ol>
          {privacyPolicy.topics.map((topic) => (
            <li key={topic.id}>
              <a href={`#${topic.id}`}>{topic.title}</a>
            </li>
          ))}
        </ol>
      </nav>
      {privacyPolicy.topics.map((topic) => (
        <Topic key={topic.id} topic={topic} />
      ))}
    </article>
  )
}

function Topic({ topic }: { topic: PolicyTopic }) {
  return (
    <section aria-labelledby={topic.id}>
      <h2 id={topic.id}>{topic.title}</h2>
      {topic.blocks.map((block) =>
        typeof block === 'string' ? (
          <p key={block}>
            <TextWithAddress text={block} />
          </p>
        ) : (
          <ul key={block[0]}>
            {block.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        ),
      )}
    </section>
  )
}

/** The text, with the support address as a link. */
function TextWithAddress({ text }: { text: string }) {
  return text.split(brand.supportEmail).map((part, index) => (
    <Fragment key={part}>
      {index > 0 && <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>}
      {part}
    </Fragment>
  ))
}
