import type { PortalView } from './portal-view.ts'

/** ` at (541) 555-0162 and at front@alderdental.example`, as links. Nothing if none is known. */
export function MerchantContact({
  merchant: { phone, email },
}: {
  readonly merchant: PortalView['merchant']
}) {
  return (
    <>
      {phone !== null && (
        <>
          {' '}
          at <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phone}</a>
        </>
      )}
      {phone !== null && email !== null && ' and'}
      {email !== null && (
        <>
          {' '}
          at <a href={`mailto:${email}`}>{email}</a>
        </>
      )}
    </>
  )
}
