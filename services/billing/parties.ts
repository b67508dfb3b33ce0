import { brand } from '#contracts/brand/brand'
import { billedToOf, type BilledTo, type Seller } from '#contracts/events/billing-parts'

/** The seller and the buyer that a document names. */
export interface Parties extends BilledTo {
  readonly seller: Seller
}

/** The parties of an event that has other fields, too. */
export function partiesOf(event: Parties): Parties {
  return { seller: event.seller, ...billedToOf(event) }
}

/** The seller of a document that is issued now. */
export const presentSeller: Seller = {
  name: brand.name,
  address: [...brand.address],
  email: brand.supportEmail,
}

/** A customer of whom nothing is known. */
export const unknownBuyer: BilledTo = {
  customerName: null,
  customerEmail: null,
  addressLine1: null,
  addressLine2: null,
  postalCode: null,
  city: null,
  state: null,
  country: null,
}
