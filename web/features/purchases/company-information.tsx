import { Link } from 'react-router-dom'
import type { PaymentsResponse } from '#contracts/purchases'
import { readableAddress } from '#contracts/readable-address'
import { Description, Descriptions } from '../../ui/descriptions.tsx'
import { Panel } from '../../ui/panel.tsx'

type CompanyInformationProps = Pick<PaymentsResponse, 'companyInfo' | 'userInfo'>

export function CompanyInformation({ companyInfo, userInfo }: CompanyInformationProps) {
  return (
    <Panel title="Company Information" actions={<Link to="/profile">Edit profile</Link>}>
      <Descriptions>
        {companyInfo && (
          <>
            <Description term="Name">
              <b>{companyInfo.name}</b>
            </Description>
            <Description term="Domain">{companyInfo.domain}</Description>
            <Description term="Website">
              {companyInfo.website_url && <WebsiteLink url={companyInfo.website_url} />}
            </Description>
            <Description term="Address">
              {companyInfo.address}
              <br />
              {[companyInfo.city, `${companyInfo.state} ${companyInfo.zipcode}`]
                .filter(Boolean)
                .join(', ')}
            </Description>
          </>
        )}
        <Description term="Contact">{userInfo.full_name}</Description>
        <Description term="E-mail">{readableAddress(userInfo.email)}</Description>
        <Description term="Secondary">
          {userInfo.secondary_email && readableAddress(userInfo.secondary_email)}
        </Description>
        {companyInfo && (
          <Description term="Support">
            {companyInfo.support_email}
            <br />
            {companyInfo.support_phone}
          </Description>
        )}
      </Descriptions>
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
