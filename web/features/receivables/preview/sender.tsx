import type { BrandResponse } from '#contracts/receivables/brand'

/** The name beside the logo. The image needs no words. */
export function Sender({
  name,
  logo,
}: {
  readonly name: string
  readonly logo: BrandResponse['logo']
}) {
  return (
    <span className="msg-who">
      {logo !== null && <img src={logo.url} alt="" />}
      <span dir="auto">{name}</span>
    </span>
  )
}
