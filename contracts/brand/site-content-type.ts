/** The texts of the public pages, apart from the labels that the specification fixes. */
export interface SiteContent {
  readonly claims: Claims
  /** Title and description for browser tabs, search results and shared links. */
  readonly pages: Readonly<Record<'/' | '/pricing' | '/privacy-policy' | '/terms', PageMeta>>
  readonly hero: {
    /** One sentence, in the lines that it may break into. */
    readonly headline: readonly [string, ...string[]]
    readonly price: string
    /** Shown one after another: a subtitle, and a picture in the carousel. */
    readonly scenes: readonly [Scene, ...Scene[]]
  }
  /** Names beside 'In partnership with'. */
  readonly partners: readonly string[]
  readonly benefits: {
    readonly heading: string
    readonly items: readonly Drawn<'calendar' | 'fees' | 'message'>[]
  }
  readonly features: {
    readonly heading: string
    readonly cards: readonly Drawn<FeatureDrawing>[]
  }
  readonly pricing: {
    readonly heading: string
    readonly per: string
    readonly terms: string
    readonly sheetHeading: string
  }
  readonly reasons: readonly [Reason, ...Reason[]]
  readonly about: { readonly text: string; readonly highlights: readonly Highlight[] }
  readonly faqs: readonly Faq[]
  readonly contact: {
    readonly lead: string
    /** Above the steps of the sample invoice. */
    readonly timelineCaption: string
    /** How soon the team answers, as in 'within 1-2 business days'. */
    readonly replyTime: string
  }
}

export interface Claims {
  readonly years: number
  /** Percent. The pages say 'up to'. */
  readonly fewerFollowUps: number
  readonly rating: number
  readonly bestRating: number
  readonly reviews: number
}

interface PageMeta {
  /** Without the brand's name, which the pages append. */
  readonly title: string
  readonly description: string
}

interface Scene {
  readonly subtitle: string
  /** The name of the picture, on its button. */
  readonly label: string
  /** What the picture shows, for readers who do not see it. */
  readonly alt: string
}

interface Drawn<Drawing extends string> {
  /** The drawing beside the text. */
  readonly drawing: Drawing
  readonly title: string
  readonly text: string
}

export type FeatureDrawing = 'schedule' | 'template' | 'brands' | 'portal' | 'bars' | 'routing'

/** A panel of 'Why Choose Us?'. */
interface Reason extends Drawn<ReasonDrawing> {
  /** The line below the drawing: what the instrument measures. */
  readonly caption: string
}

export type ReasonDrawing =
  | 'metronome'
  | 'letter-balance'
  | 'embossing-press'
  | 'plumb-line'
  | 'surveyors-chain'
  | 'perpetual-calendar'

/** A claim with a scale. */
export interface Highlight {
  /** What the scale shows. */
  readonly scale: 'years' | 'share' | 'rating'
  /** The words before and after the figure. */
  readonly before?: string
  readonly figure: string
  readonly after?: string
  readonly text: string
}

interface Faq {
  readonly question: string
  readonly answer: string
}
