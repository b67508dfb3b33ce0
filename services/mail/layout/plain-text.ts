import { toPlainText } from '@react-email/render'

/** What html-to-text, which has no types, passes to a formatter. */
interface HtmlNode {
  readonly type: string
  readonly name: string
  readonly attribs: Readonly<Record<string, string>>
  readonly children: readonly HtmlNode[]
}
interface TextBuilder {
  openBlock(options: { readonly leadingLineBreaks: number }): void
  closeBlock(options: { readonly trailingLineBreaks: number }): void
  addInline(text: string, options?: { readonly noWordTransform: boolean }): void
}
type Formatter = (
  element: HtmlNode,
  walk: (nodes: readonly HtmlNode[], builder: TextBuilder) => void,
  builder: TextBuilder,
) => void

/** Two elements as `term: value`, on a line of their own. */
const pair: Formatter = (element, walk, builder) => {
  const parts = element.children.filter(({ type, name }) => type === 'tag' && name !== 'br')
  builder.openBlock({ leadingLineBreaks: 1 })
  parts.forEach((part, index) => {
    if (index > 0) builder.addInline(': ')
    walk(part.children, builder)
  })
  builder.closeBlock({ trailingLineBreaks: 1 })
}

/** A button as its words and its address. */
const action: Formatter = (element, walk, builder) => {
  walk(element.children, builder)
  builder.addInline(`: ${element.attribs.href}`, { noWordTransform: true })
}

/** The text part of a mail of mail-document.tsx. */
export function textOf(html: string): string {
  const text = toPlainText(html, {
    formatters: { pair, action },
    selectors: [
      { selector: 'td.block', format: 'block' },
      { selector: '.pair', format: 'pair' },
      { selector: 'a.action', format: 'action' },
    ],
  })
  return text.replaceAll('\u00a0', ' ')
}
