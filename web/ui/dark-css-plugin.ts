import type { Plugin } from 'vite'

const darkBlock = /^\[data-theme=dark\] (\{[^}]*\})/m

/**
 * Completes the dark block of tokens.css in the browser's style sheet. So each dark value is
 * written once.
 */
export function darkCss(): Plugin {
  return {
    name: 'dark-css',
    enforce: 'pre',
    transform(css, id) {
      return id.endsWith('/web/ui/tokens.css') ? withSystemDark(css) : undefined
    },
  }
}

/**
 * The tokens with the dark block on screens only, because paper is light, and repeated for the
 * setting of the system. The copy applies where no script has set `data-theme`.
 * @throws Error if the tokens have no dark block
 */
export function withSystemDark(tokens: string): string {
  if (!darkBlock.test(tokens))
    throw new Error("tokens.css has no block '[data-theme=dark] {…}' at the start of a line.")
  return tokens.replace(
    darkBlock,
    (block, values: string) =>
      `@media screen { ${block} }\n` +
      `@media screen and (prefers-color-scheme: dark) { :root:not([data-theme]) ${values} }`,
  )
}
