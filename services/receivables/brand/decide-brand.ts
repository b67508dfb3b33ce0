import type { MerchantEvent } from '#contracts/events/merchant'
import type { Instant } from '#contracts/instant'
import { accepted, refused, type Decision } from '#services/foundation/decider'

/** What a merchant chose. Null: nothing, and the company profile counts. */
export interface Brand {
  /** `#RRGGBB` */
  readonly color: string | null
  readonly logo: Logo | null
  readonly senderName: string | null
  readonly replyTo: string | null
  readonly postalAddress: readonly string[] | null
}

/** A row of `app.logo`, which the product encoded. */
export interface Logo {
  readonly sha256: string
  readonly mediaType: string
  readonly width: number
  readonly height: number
}

export interface BrandState extends Brand {
  /** Counts the changes: a form of another brand overwrites none. */
  readonly version: number
  /** Names that an administrator approved. A name stays approved if another one follows. */
  readonly approvedNames: ReadonlySet<string>
}

export type BrandCommand =
  | {
      readonly type: 'change-brand'
      readonly brand: Brand
      readonly basedOn: number
      readonly at: Instant
    }
  /** An administrator saw this name. */
  | { readonly type: 'approve-sender-name'; readonly name: string; readonly at: Instant }

export type BrandRefusal = 'changed-meanwhile' | 'other-sender-name'

type BrandEvent = Extract<MerchantEvent, { type: 'BrandChanged' | 'SenderNameApproved' }>

export const initialBrand: BrandState = {
  color: null,
  logo: null,
  senderName: null,
  replyTo: null,
  postalAddress: null,
  version: 0,
  approvedNames: new Set(),
}

export function decideBrand(
  command: BrandCommand,
  state: BrandState,
): Decision<BrandEvent, BrandRefusal> {
  const occurredAt = command.at
  if (command.type === 'approve-sender-name') {
    const { name } = command
    if (state.approvedNames.has(name)) return accepted()
    if (state.senderName !== name) return refused('other-sender-name')
    return accepted({ type: 'SenderNameApproved', data: { name }, occurredAt })
  }
  const { brand, basedOn } = command
  if (isSame(brand, state)) return accepted()
  if (basedOn !== state.version) return refused('changed-meanwhile')
  const postalAddress = brand.postalAddress === null ? null : [...brand.postalAddress]
  return accepted({ type: 'BrandChanged', data: { ...brand, postalAddress }, occurredAt })
}

export function evolveBrand(state: BrandState, event: BrandEvent): BrandState {
  return event.type === 'BrandChanged'
    ? { ...state, ...event.data, version: state.version + 1 }
    : { ...state, approvedNames: new Set(state.approvedNames).add(event.data.name) }
}

function isSame(a: Brand, b: Brand): boolean {
  return (
    a.color === b.color &&
    a.logo?.sha256 === b.logo?.sha256 &&
    a.senderName === b.senderName &&
    a.replyTo === b.replyTo &&
    (a.postalAddress?.join('\n') ?? null) === (b.postalAddress?.join('\n') ?? null)
  )
}
