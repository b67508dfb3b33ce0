import { shadesOf } from '#contracts/receivables/brand-color'
import type { MessageSender } from '../messages/message-data.ts'
import type { Merchant } from '../merchant-access.ts'
import type { BrandState, Logo } from './decide-brand.ts'

/**
 * How the merchant's clients see it. The sender name is the company name until an administrator has
 * approved another one. What the merchant did not choose is that of the company profile.
 */
export function messageSender(
  brand: BrandState,
  merchant: Merchant,
  publicUrl: string,
): MessageSender {
  return {
    name: nameOfSender(brand, merchant),
    logo:
      brand.logo === null
        ? null
        : {
            url: `${publicUrl}${logoPath(brand.logo)}`,
            width: brand.logo.width,
            height: brand.logo.height,
          },
    shades: { light: shadesOf(brand.color, 'light'), dark: shadesOf(brand.color, 'dark') },
    replyTo: brand.replyTo ?? merchant.email,
    address: brand.postalAddress ?? merchant.address,
  }
}

/** `waits`: for an administrator. */
export function stateOfSenderName(
  { senderName, approvedNames }: Pick<BrandState, 'senderName' | 'approvedNames'>,
  { companyName }: Pick<Merchant, 'companyName'>,
): 'company' | 'approved' | 'waits' {
  if (senderName === null || senderName === companyName) return 'company'
  return approvedNames.has(senderName) ? 'approved' : 'waits'
}

/** Where a logo is served. The address changes with the image, so it is never outdated. */
export function logoPath({ sha256 }: Pick<Logo, 'sha256'>): string {
  return `/api/receivables/logos/${sha256}`
}

function nameOfSender(brand: BrandState, merchant: Merchant): string {
  const chosen = stateOfSenderName(brand, merchant) === 'approved' ? brand.senderName : null
  return chosen ?? merchant.companyName ?? merchant.email
}
