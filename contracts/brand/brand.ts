/**
 * The name, addresses and colors of the brand. The colors are those of web/ui/tokens.css, and a
 * test compares them.
 */
export const brand: Brand = {
  name: 'Agile Receivables',
  subscriptionTitle: 'Agile Subscription',
  address: ['500 Example Street, Suite 200', 'Wilmington, DE 19801', 'United States'],
  supportEmail: 'support@example.com',
  senderEmail: 'no-reply@example.com',
  social: { label: 'LinkedIn', url: 'https://www.linkedin.com/company/agile-receivables' },
  light: {
    ground: '#F4F8F8',
    surface: '#FFFFFF',
    surface2: '#EDF3F3',
    deep: '#06262C',
    onDeep: '#F1F8F8',
    onDeep2: '#A9C3C6',
    ink: '#06262C',
    ink2: '#3E5A60',
    link: '#0B6070',
    rule: '#D6E1E2',
    accent: '#FF4F1A',
    positive: '#0A6B4F',
    positiveFill: '#10946D',
    negative: '#A80F3C',
    negativeFill: '#CC1F52',
  },
  dark: {
    ground: '#07161A',
    surface: '#0D2127',
    surface2: '#122A31',
    deep: '#0D2127',
    onDeep: '#E6F1F1',
    onDeep2: '#A9C3C6',
    ink: '#E6F1F1',
    ink2: '#B0C6C9',
    link: '#6FC6D2',
    rule: '#1E3941',
    accent: '#FF6A3D',
    positive: '#58D0A3',
    positiveFill: '#2FB887',
    negative: '#FF8FA8',
    negativeFill: '#F0527A',
  },
}

export interface Brand {
  readonly name: string
  /** The title of the dialog that sells the plan. */
  readonly subscriptionTitle: string
  /** The lines of the address on receipts. */
  readonly address: readonly string[]
  readonly supportEmail: string
  /** The sender of mails, unless MAIL_FROM is set. */
  readonly senderEmail: string
  /** The company's page at a social network, in the footer. */
  readonly social: { readonly label: string; readonly url: string }
  /** The colors of mails. Mail programs ignore style sheets, so mails cannot use tokens.css. */
  readonly light: BrandColors
  /** For mail programs with a dark display. */
  readonly dark: BrandColors
}

/** Each name is a token of web/ui/tokens.css: `surface2` is `--surface-2`. */
export type BrandColors = Readonly<
  Record<
    | 'ground'
    | 'surface'
    | 'surface2'
    | 'deep'
    | 'onDeep'
    | 'onDeep2'
    | 'ink'
    | 'ink2'
    | 'link'
    | 'rule'
    | 'accent'
    | 'positive'
    | 'positiveFill'
    | 'negative'
    | 'negativeFill',
    string
  >
>
