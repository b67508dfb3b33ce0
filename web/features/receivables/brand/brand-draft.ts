import { contrastOf, parseColor, shadesOf } from '#contracts/receivables/brand-color'
import {
  changeBrandRequest,
  type BrandResponse,
  type ChangeBrandRequest,
} from '#contracts/receivables/brand'

/** A file that the merchant chose, before it is saved. */
export interface ChosenLogo {
  readonly name: string
  readonly bytes: number
  /** `data:image/png;base64,…` */
  readonly url: string
}

/** What the fields of the page have. Empty: what the company profile has. */
export interface BrandDraft {
  readonly color: string
  readonly logo: 'keep' | 'remove' | ChosenLogo
  readonly senderName: string
  readonly replyTo: string
  readonly postalAddress: string
}

export function draftOf(brand: BrandResponse): BrandDraft {
  return {
    color: brand.color ?? '',
    logo: 'keep',
    senderName: brand.senderName ?? '',
    replyTo: brand.replyTo ?? '',
    postalAddress: brand.postalAddress?.join('\n') ?? '',
  }
}

export function isSame(a: BrandDraft, b: BrandDraft): boolean {
  return (
    a.color.trim() === b.color.trim() &&
    a.logo === b.logo &&
    a.senderName.trim() === b.senderName.trim() &&
    a.replyTo.trim() === b.replyTo.trim() &&
    a.postalAddress.trim() === b.postalAddress.trim()
  )
}

export function brandBody(draft: BrandDraft, version: number): ChangeBrandRequest {
  const { logo } = draft
  const orNull = (text: string) => (text.trim() === '' ? null : text)
  return {
    version,
    color: orNull(draft.color),
    logo:
      typeof logo === 'string'
        ? { type: logo }
        : { type: 'image', content: logo.url.slice(logo.url.indexOf(',') + 1) },
    senderName: orNull(draft.senderName),
    replyTo: orNull(draft.replyTo),
    postalAddress: orNull(draft.postalAddress),
  }
}

/** By the name of the field, as the server would say it. */
export function problemsOfBrand(draft: BrandDraft): Readonly<Record<string, string>> {
  const { error } = changeBrandRequest.safeParse(brandBody(draft, 0))
  const problems: Record<string, string> = {}
  for (const { path, message } of error?.issues.toReversed() ?? [])
    problems[String(path[0])] = message
  return problems
}

/** What the product makes of a color that is hard to read. Null: a color that it cannot read. */
export function colorInWords(typed: string): string | null {
  if (typed.trim() === '') return 'Without a color, buttons and edges are dark.'
  const color = parseColor(typed)
  if (color === null) return null
  const { fill, onFill, edge } = shadesOf(color, 'light')
  const text = onFill === '#FFFFFF' ? 'White' : 'Dark'
  const ratio = contrastOf(onFill, fill).toFixed(1)
  return [
    `${text} text on it: ${ratio} to 1.`,
    ...(fill === color
      ? []
      : [`Buttons are a little darker, ${fill}, so that their text is readable.`]),
    ...(edge === color ? [] : [`Edges on white are ${edge}, because the color is pale.`]),
  ].join(' ')
}
