/*
 * What a mail says, as plain data: texts are plain, and the layout escapes them. The layout and the
 * text part are made from it by renderMail (render-mail.ts).
 */

export interface MailContent {
  /** Without secrets and without text that a stranger typed: locked screens show it. */
  readonly subject: string
  /** The kind of mail, in the head: 'Receipt'. */
  readonly topic: string
  /** What a list of mails shows after the subject. As the subject, it has no secrets. */
  readonly preheader: string
  readonly blocks: readonly MailBlock[]
  /** In small text above the support address: what a reader does who did not cause the mail. */
  readonly note?: string
}

export type MailBlock =
  | { readonly type: 'paragraph'; readonly text: string }
  /** A paragraph that a merchant wrote. It keeps its line breaks and its direction. */
  | { readonly type: 'words'; readonly text: string }
  /** One number that the mail is about, large, below its label. */
  | { readonly type: 'figure'; readonly label: string; readonly value: string }
  /** A code to copy, in two halves without a space. */
  | { readonly type: 'code'; readonly code: string }
  | ({ readonly type: 'line' } & TimeLine)
  | { readonly type: 'descriptions'; readonly descriptions: readonly Description[] }
  | { readonly type: 'list'; readonly label: string; readonly items: readonly string[] }
  /** A person's own words. They keep their line breaks. */
  | { readonly type: 'quote'; readonly label: string; readonly text: string }
  /** The next step. `url` is absolute. `isSecond`: another way beside the main one. */
  | {
      readonly type: 'action'
      readonly label: string
      readonly url: string
      readonly isSecond?: true
    }

export interface Description {
  readonly term: string
  readonly value: string
  /** The last line of a calculation. */
  readonly isSum?: boolean
}

/** A time with a mark at each end. `now` is the needle, at `share` of the way: 0 to 1. */
export interface TimeLine {
  readonly start: LineEnd
  readonly end: LineEnd
  readonly now?: { readonly share: number; readonly label: string }
}

interface LineEnd {
  /** The marks of the product's screens: paid, failed, the hollow square, or the needle. */
  readonly mark: 'paid' | 'failed' | 'hollow' | 'needle'
  readonly label: string
  readonly date: string
}
