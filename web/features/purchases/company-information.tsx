import { Link } from 'react-router-dom'
import type { PaymentsResponse } from '#contracts/purchases'
import { readableAddress } from '#contracts/readable-address'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Panel } from '../../ui/panel.tsx'

type CompanyInformationProps = Pick<PaymentsResponse, 'companyInfo' | 'userInfo'>

export function CompanyInformation({ companyInfo, userInfo }: CompanyInformationProps) {
  return (
    <Panel title="Company Information" actions={<Link to="/profile">Edit profile</Link>}>
      <Facts>
        {companyInfo && (
          <>
            <Fact term="Name">
              <b>{companyInfo.name}</b>
            </Fact>
            <Fact term="Domain">{companyInfo.domain}</Fact>
            <Fact term="Website">
              {companyInfo.website_url && <WebsiteLink url={companyInfo.website_url} />}
            </Fact>
            <Fact term="Address">
              {companyInfo.address}
              <br />
              {[companyInfo.city, `${companyInfo.state} ${companyInfo.zipcode}`]
                .filter(Boolean)
                .join(', ')}
            </Fact>
          </>
        )}
        <Fact term="Contact">{userInfo.full_name}</Fact>
        <Fact term="E-mail">{readableAddress(userInfo.email)}</Fact>
        <Fact term="Secondary">
          {userInfo.secondary_email && readableAddress(userInfo.secondary_email)}
        </Fact>
        {companyInfo && (
          <Fact term="Support">
            {companyInfo.support_email}
            <br />
            {companyInfo.support_phone}
          </Fact>
        )}
      </Facts>
    </Panel>
  )
}

/**
 * Shows a URL without its scheme. Only http and https URLs become links: a record could contain
 * `javascript:`.
 */
function WebsiteLink({ url }: { url: string }) {
  const isWebAddress = /^https?:\/\//i.test(url)
  const short = url.replace(/^https?:\/\//i, '').replace(/\/$/, '')
  return isWebAddress ? (
    <a href={url} target="_blank" rel="noreferrer">
      {short}
    </a>
  ) : (
    url
  )
}
