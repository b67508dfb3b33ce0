import { Link } from 'react-router-dom'
import { brand } from '#contracts/brand/brand'
import { siteContent } from '#contracts/brand/site-content'
import { terms } from '#contracts/brand/terms'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { TextPage, TextWithAddress } from '../../ui/text-page.tsx'

const { title } = siteContent.pages['/terms']

/** The terms of the sign-up form, on a page that can be read before and after the sign-up. */
export function TermsPage() {
  usePageTitle(title)
  return (
    <TextPage
      title={title}
      lastUpdated={terms.lastUpdated}
      summary={`You accept these terms when you complete your company profile. They apply between you and ${brand.name}, ${brand.address.join(', ')}. We record which version you accepted; this is version ${terms.version}.`}
      sections={[
        ...terms.clauses.map((clause) => ({ ...clause, content: <p>{clause.text}</p> })),
        {
          id: 'data-and-contact',
          title: 'Your data, and questions',
          content: (
            <>
              <p>
                The <Link to="/privacy-policy">Privacy Policy</Link> says which data we collect and
                how you can have it deleted.
              </p>
              <p>
                <TextWithAddress
                  text={`Questions about these terms: write to ${brand.supportEmail}.`}
                />
              </p>
            </>
          ),
        },
      ]}
    />
  )
}
