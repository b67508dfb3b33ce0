import { privacyPolicy, type PolicyTopic } from '#contracts/brand/privacy-policy'
import { siteContent } from '#contracts/brand/site-content'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { TextPage, TextWithAddress } from '../../ui/text-page.tsx'

const { title } = siteContent.pages['/privacy-policy']

export function PrivacyPolicyPage() {
  usePageTitle(title)
  return (
    <TextPage
      title={title}
      lastUpdated={privacyPolicy.lastUpdated}
      summary={privacyPolicy.summary}
      sections={privacyPolicy.topics.map((topic) => ({
        ...topic,
        content: <Blocks blocks={topic.blocks} />,
      }))}
    />
  )
}

function Blocks({ blocks }: Pick<PolicyTopic, 'blocks'>) {
  return blocks.map((block) =>
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
  )
}
